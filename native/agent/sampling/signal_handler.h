// SPDX-License-Identifier: Apache-2.0
//
// What a timer does on the thread that it interrupts (platform/timers.h), and the ring into which
// it writes stacks. It takes no lock, allocates nothing, and uses no other part of the agent.
// Without a ring it does nothing. Used by SignalSampling.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <jvmti.h>

#include "agent/platform/threads.h"

namespace jvmdebug::agent::sampling {

// Declared like HotSpot's structure in forte.cpp, which is in no header.
struct AsyncFrame {
  jint bci;  // negative in a native method
  jmethodID method;
};

struct AsyncTrace {
  JNIEnv* env;
  jint frame_count;  // 0 and less: the reason why there are none
  AsyncFrame* frames;
};

using AsyncGetCallTrace = void (*)(AsyncTrace*, jint, void*);

// The stack of one interrupted thread.
struct Interrupted {
  platform::ThreadNumber task = 0;
  JNIEnv* env = nullptr;  // null: not a Java thread
  jint frame_count = 0;
  int overrun = 0;  // timer periods that passed besides this one
};

// Slots that handlers fill, each on its own thread, and that one reader empties.
class StackRing {
 public:
  StackRing(JavaVM* vm, AsyncGetCallTrace get_call_trace, std::size_t slots, jint depth);

  // Called in the handler.
  void take(void* context, int overrun) noexcept;

  // Calls `use` with each stack that is complete.
  template <class Use>
  void drain(Use use) {
    for (Slot& slot : slots_) {
      if (slot.state.load(std::memory_order_acquire) == kFull) {
        const std::span frames(slot.trace.frames,
                               static_cast<std::size_t>(std::max<jint>(0, slot.is.frame_count)));
        use(slot.is, frames);
        slot.state.store(kFree, std::memory_order_release);
      }
    }
  }

  // Returns the number of stacks that found no free slot since the last call.
  [[nodiscard]] std::uint32_t lost() { return lost_.exchange(0); }

 private:
  static constexpr std::uint32_t kFree = 0;
  static constexpr std::uint32_t kTaken = 1;
  static constexpr std::uint32_t kFull = 2;

  struct Slot {
    std::atomic<std::uint32_t> state = kFree;
    Interrupted is = {};
    AsyncTrace trace = {};
  };

  JavaVM* const vm_;
  const AsyncGetCallTrace get_call_trace_;
  const jint depth_;
  std::vector<AsyncFrame> frames_;  // the frames of all slots
  std::vector<Slot> slots_;
  std::atomic<std::uint32_t> next_ = 0;
  std::atomic<std::uint32_t> lost_ = 0;
};

class SignalHandler {
 public:
  // Begins to write into a ring. False if there is one already, or if another tool has replaced our
  // handler.
  [[nodiscard]] static bool begin(StackRing* ring);
  // Ends writing: from here on the handler does nothing. False if a thread is still inside it after
  // `limit`; then the ring has to stay.
  [[nodiscard]] static bool end(std::chrono::milliseconds limit);
};

}  // namespace jvmdebug::agent::sampling
