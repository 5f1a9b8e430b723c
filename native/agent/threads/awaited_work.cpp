// SPDX-License-Identifier: Apache-2.0
#include "agent/threads/awaited_work.h"

#include <utility>

namespace jvmdebug::agent::threads {
namespace {

constexpr std::chrono::milliseconds kLook{10};

// The largest number of looks at a thread that is awake and does not finish; then nothing is known
// about it.
constexpr int kMostTimes = 30;

bool has_ended(const std::shared_future<void>& ended, std::chrono::milliseconds within) {
  return ended.wait_for(within) == std::future_status::ready;
}

}  // namespace

AwaitedWork::AwaitedWork(std::chrono::milliseconds longest_asleep)
    : most_asleep_(static_cast<int>(longest_asleep / kLook)) {}

bool AwaitedWork::await(const Starter& start, const std::function<void()>& work) {
  auto running = running_.load();
  if (!running || has_ended(running->ended, {})) {
    running = begin(start, work);
  }
  int asleep = 0;
  for (int looks = 0; !has_ended(running->ended, kLook); ++looks) {
    const platform::ThreadNumber task = running->task;
    if (task == 0 || platform::is_awake(task)) {
      asleep = 0;
      running->was_held_up = false;
    } else {
      ++asleep;
    }
    const bool is_held_up = asleep >= most_asleep_ || (asleep > 0 && running->was_held_up);
    if (is_held_up || looks >= most_asleep_ * kMostTimes) {
      running->was_held_up = true;
      return false;
    }
  }
  return true;
}

// Only the thread owns the promise: if the thread cannot start, or throws, the promise is broken
// and the wait ends.
std::shared_ptr<AwaitedWork::Running> AwaitedWork::begin(const Starter& start,
                                                         const std::function<void()>& work) {
  const auto before = running_.load();
  auto promise = std::make_shared<std::promise<void>>();
  auto running = std::make_shared<Running>();
  running->ended = promise->get_future().share();
  running_.replace(before, running);
  if (const auto other = running_.load(); other != running) {
    return other;  // a faster thread has started it
  }
  (void)start([running, work, promise = std::move(promise)] {
    running->task = platform::this_thread();
    work();
    promise->set_value();
  });
  return running;
}

}  // namespace jvmdebug::agent::threads
