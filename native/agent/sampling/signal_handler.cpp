// SPDX-License-Identifier: Apache-2.0
#include "agent/sampling/signal_handler.h"

#include <cerrno>
#include <csignal>
#include <sys/syscall.h>
#include <thread>
#include <unistd.h>

namespace jvmdebug::agent::sampling {
namespace {

// The state of the handler; like the handler it belongs to the library and not to an agent
// (docs/adr/0007).
struct HandlerState {
  std::atomic<StackRing*> ring = nullptr;
  std::atomic<int> running = 0;
  std::atomic<bool> is_installed = false;
  struct sigaction before = {};  // written before the handler is installed
};

HandlerState& state() noexcept {
  static constinit HandlerState instance;
  return instance;
}

static_assert(std::atomic<StackRing*>::is_always_lock_free && std::atomic<int>::is_always_lock_free,
              "a signal handler must not lock");

void forward(int signal, siginfo_t* info, void* context) {
  const struct sigaction& before = state().before;
  if ((before.sa_flags & SA_SIGINFO) != 0) {
    if (before.sa_sigaction != nullptr) {
      before.sa_sigaction(signal, info, context);
    }
  } else if (before.sa_handler != SIG_DFL && before.sa_handler != SIG_IGN) {
    before.sa_handler(signal);
  }
}

void on_signal(int signal, siginfo_t* info, void* context) {
  const int saved = errno;
  HandlerState& handler = state();
  if (info->si_code != SI_TIMER || info->si_value.sival_ptr != SignalHandler::mark()) {
    forward(signal, info, context);
  } else {
    ++handler.running;
    if (StackRing* const ring = handler.ring.load(); ring != nullptr) {
      ring->take(context, info->si_overrun);
    }
    --handler.running;
  }
  errno = saved;
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
  slot.is = {.task = static_cast<pid_t>(syscall(SYS_gettid)),
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

void* SignalHandler::mark() noexcept {
  return &state();
}

bool SignalHandler::begin(StackRing* ring) {
  HandlerState& handler = state();
  if (handler.ring.load() != nullptr) {
    return false;
  }
  struct sigaction present{};
  if (sigaction(SIGPROF, nullptr, &present) != 0) {
    return false;
  }
  if (!handler.is_installed.exchange(true)) {
    handler.before = present;
    struct sigaction ours{};
    ours.sa_sigaction = on_signal;
    ours.sa_flags = SA_SIGINFO | SA_RESTART;
    (void)sigemptyset(&ours.sa_mask);
    if (sigaction(SIGPROF, &ours, nullptr) != 0) {
      handler.is_installed = false;
      return false;
    }
  } else if ((present.sa_flags & SA_SIGINFO) == 0 || present.sa_sigaction != on_signal) {
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
