// SPDX-License-Identifier: Apache-2.0
//
// Work on a thread of the agent's own that a command waits for: as long as that thread can run,
// however slow a busy machine is, but not when it sleeps, as it needs what a thread of the program
// has that the debugger holds. Used by OperandReader.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <future>
#include <memory>
#include <sys/types.h>

#include "agent/atomic_shared.h"

namespace jvmdebug::agent::threads {

class AwaitedWork {
 public:
  // Starts a thread; false if there can be none.
  using Starter = std::function<bool(std::function<void()>)>;

  // `longest_asleep`: after which the thread counts as held up.
  explicit AwaitedWork(std::chrono::milliseconds longest_asleep);

  // Starts `work`, or waits for the one that has not ended yet. Whether it has ended now; where it
  // was held up the last time and still sleeps, the answer comes at once. Any thread.
  [[nodiscard]] bool await(const Starter& start, const std::function<void()>& work);

 private:
  struct Running {
    std::shared_future<void> ended;
    std::atomic<pid_t> task = 0;  // of the kernel; 0 until it has begun
    std::atomic<bool> was_held_up = false;
  };

  [[nodiscard]] std::shared_ptr<Running> begin(const Starter& start,
                                               const std::function<void()>& work);

  const int most_asleep_;  // looks
  AtomicShared<Running> running_;
};

}  // namespace jvmdebug::agent::threads
