// SPDX-License-Identifier: Apache-2.0
//
// Work on a thread of the agent for which a command waits. The command waits as long as that thread
// can run, however slow a busy machine is. It does not wait when the thread sleeps, because then
// the thread waits for something that a suspended program thread holds. Used by OperandReader.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <future>
#include <memory>

#include "agent/atomic_shared.h"
#include "agent/platform/threads.h"

namespace jvmdebug::agent::threads {

class AwaitedWork {
 public:
  // Starts a thread; false if it cannot be started.
  using Starter = std::function<bool(std::function<void()>)>;

  // `longest_asleep` is the time asleep after which the thread counts as blocked.
  explicit AwaitedWork(std::chrono::milliseconds longest_asleep);

  // Starts `work`, or waits for earlier work that has not ended yet. Returns whether it has ended
  // now; if it was blocked the last time and still sleeps, returns at once. Any thread.
  [[nodiscard]] bool await(const Starter& start, const std::function<void()>& work);

 private:
  struct Running {
    std::shared_future<void> ended;
    std::atomic<platform::ThreadNumber> task = 0;  // 0 until the thread has begun
    std::atomic<bool> was_held_up = false;
  };

  [[nodiscard]] std::shared_ptr<Running> begin(const Starter& start,
                                               const std::function<void()>& work);

  const int most_asleep_;  // looks
  AtomicShared<Running> running_;
};

}  // namespace jvmdebug::agent::threads
