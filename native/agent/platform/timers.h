// SPDX-License-Identifier: Apache-2.0
//
// Timers on the CPU time of single threads, which interrupt a thread wherever it is and call a
// function on it. Linux has them; where the system has none, why_no_thread_timers() says so.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "agent/platform/threads.h"

namespace jvmdebug::agent::platform {

// Why this system has no such timers, as a sentence for people; empty where it has them.
[[nodiscard]] std::string_view why_no_thread_timers();

// All threads of the process, those of the VM as well, and the name of one.
[[nodiscard]] std::vector<ThreadNumber> all_threads();
[[nodiscard]] std::string name_of_thread(ThreadNumber thread);

// Called on the interrupted thread, as a signal handler: it takes no lock and allocates nothing.
// `context`: the state of the thread, as AsyncGetCallTrace takes it. `overrun`: how many periods
// passed besides this one.
using OnTimer = void (*)(void* context, int overrun) noexcept;

// Has the function called. It stays for good, because otherwise a late signal would end the
// process. Signals that are not from our timers go to the handler that was there before. False if
// another tool has replaced ours.
[[nodiscard]] bool install_timer_handler(OnTimer on_timer);

// A timer of one thread; the destructor deletes it.
class ThreadTimer {
 public:
  // Null if the thread has ended, or there are too many.
  [[nodiscard]] static std::unique_ptr<ThreadTimer> start(ThreadNumber thread,
                                                          std::chrono::microseconds interval);

  ThreadTimer() = default;
  ThreadTimer(const ThreadTimer&) = delete;
  ThreadTimer& operator=(const ThreadTimer&) = delete;
  ThreadTimer(ThreadTimer&&) = delete;
  ThreadTimer& operator=(ThreadTimer&&) = delete;
  virtual ~ThreadTimer() = default;
};

}  // namespace jvmdebug::agent::platform
