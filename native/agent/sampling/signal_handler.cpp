// SPDX-License-Identifier: Apache-2.0
#include "agent/sampling/signal_handler.h"

#include <thread>

#include "agent/platform/timers.h"

namespace jvmdebug::agent::sampling {
namespace {

// Belongs to the library and not to an agent (docs/adr/0007), like the handler of the signal.
struct HandlerState {
  std::atomic<StackRing*> ring = nullptr;
  std::atomic<int> running = 0;
};

HandlerState& state() noexcept {
  static constinit HandlerState instance;
  return instance;
}

static_assert(std::atomic<StackRing*>::is_always_lock_free && std::atomic<int>::is_always_lock_free,
              "a signal handler must not lock");

void on_timer(void* context, int overrun) noexcept {
  HandlerState& handler = state();
  ++handler.running;
  if (StackRing* const ring = handler.ring.load(); ring != nullptr) {
    ring->take(context, overrun);
  }
  --handler.running;
}

}  // namespace

StackRing::StackRing(JavaVM* vm, AsyncGetCallTrace get_call_trace, std::size_t slots, jint depth)
    : vm_(vm),
      get_call_trace_(get_call_trace),
      depth_(depth),
      frames_(slots * static_cast<std::size_t>(depth)),
      slots_(slots) {
  std::size_t first = 0;
  for (Slot& slot : slots_) {
    slot.trace.frames = &frames_[first];
    first += static_cast<std::size_t>(depth);
  }
}

// GetEnv of HotSpot only reads the current thread from thread-local storage.
void StackRing::take(void* context, int overrun) noexcept {
  Slot& slot = slots_[next_.fetch_add(1, std::memory_order_relaxed) % slots_.size()];
  std::uint32_t expected = kFree;
  if (!slot.state.compare_exchange_strong(expected, kTaken, std::memory_order_acquire)) {
    lost_.fetch_add(1, std::memory_order_relaxed);
    return;
  }
  void* env = nullptr;
  const bool is_java = vm_->GetEnv(&env, JNI_VERSION_1_6) == JNI_OK;
  slot.is = {.task = platform::this_thread(),
             .env = is_java ? static_cast<JNIEnv*>(env) : nullptr,
             .frame_count = 0,
             .overrun = overrun};
  if (is_java) {
    slot.trace.env = slot.is.env;
    slot.trace.frame_count = 0;
    get_call_trace_(&slot.trace, depth_, context);
    slot.is.frame_count = slot.trace.frame_count;
  }
  slot.state.store(kFull, std::memory_order_release);
}

bool SignalHandler::begin(StackRing* ring) {
  HandlerState& handler = state();
  if (handler.ring.load() != nullptr || !platform::install_timer_handler(on_timer)) {
    return false;
  }
  handler.ring = ring;
  return true;
}

bool SignalHandler::end(std::chrono::milliseconds limit) {
  constexpr auto kPause = std::chrono::milliseconds{1};
  HandlerState& handler = state();
  handler.ring = nullptr;
  for (const auto until = std::chrono::steady_clock::now() + limit; handler.running != 0;) {
    if (std::chrono::steady_clock::now() > until) {
      return false;
    }
    std::this_thread::sleep_for(kPause);
  }
  return true;
}

}  // namespace jvmdebug::agent::sampling
