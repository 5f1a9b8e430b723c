// SPDX-License-Identifier: Apache-2.0
#include <atomic>
#include <chrono>
#include <doctest/doctest.h>
#include <functional>
#include <future>
#include <thread>
#include <utility>
#include <vector>

#include "agent/threads/awaited_work.h"

namespace jvmdebug::tests {
namespace {

using agent::threads::AwaitedWork;
using std::chrono::steady_clock;

constexpr std::chrono::milliseconds kLongestAsleep{100};

// Owns threads, and joins them in its destructor.
class Threads {
 public:
  Threads() = default;
  Threads(const Threads&) = delete;
  Threads& operator=(const Threads&) = delete;
  Threads(Threads&&) = delete;
  Threads& operator=(Threads&&) = delete;

  ~Threads() {
    for (std::thread& each : threads_) {
      each.join();
    }
  }

  AwaitedWork::Starter starter() {
    return [this](std::function<void()> body) {
      threads_.emplace_back(std::move(body));
      return true;
    };
  }

 private:
  std::vector<std::thread> threads_;
};

}  // namespace

TEST_CASE("work is waited for as long as its thread can run") {
  AwaitedWork work(kLongestAsleep);
  Threads threads;
  std::atomic<bool> is_done = false;
  CHECK(work.await(threads.starter(), [&] {
    for (const auto begin = steady_clock::now();
         steady_clock::now() - begin < 5 * kLongestAsleep;) {
    }
    is_done = true;
  }));
  CHECK(is_done);
}

TEST_CASE("work that is held up is not waited for, and not begun twice") {
  AwaitedWork work(kLongestAsleep);
  std::promise<void> released;
  std::atomic<int> count = 0;
  Threads threads;
  const auto held = [&] {
    ++count;
    released.get_future().wait();
  };
  CHECK_FALSE(work.await(threads.starter(), held));
  CHECK_FALSE(work.await(threads.starter(), held));
  CHECK(count == 1);
  released.set_value();
  while (!work.await(threads.starter(), [] {})) {
  }
  CHECK(count == 1);
}

TEST_CASE("work that cannot be begun, or fails, has ended, and may be begun again") {
  AwaitedWork work(kLongestAsleep);
  CHECK(work.await([](const auto&) { return false; }, [] {}));
  Threads threads;
  bool is_done = false;
  CHECK(work.await(threads.starter(), [&] { is_done = true; }));
  CHECK(is_done);
}

}  // namespace jvmdebug::tests
