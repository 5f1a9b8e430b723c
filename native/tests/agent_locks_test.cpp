// SPDX-License-Identifier: Apache-2.0
//
// The order of the agent's locks: taking locks out of order ends the process with the names of both
// locks, here a child process. Runs before there are other threads.
#include <array>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <cstddef>
#include <doctest/doctest.h>
#include <functional>
#include <mutex>
#include <string>
#include <sys/types.h>
#include <sys/wait.h>
#include <type_traits>
#include <unistd.h>

#include "agent/locks/ranked_mutex.h"

namespace jvmdebug::tests {

using agent::Condition;
using agent::Rank;
using agent::RankedMutex;

namespace {

#ifdef JVMDEBUG_CHECK_LOCK_ORDER

// Returns what `body` has written to stderr in a child process that it aborts; empty if it does not
// abort.
std::string last_words(const std::function<void()>& body) {
  std::array<int, 2> ends{};
  if (pipe(ends.data()) != 0) {
    return {};
  }
  const pid_t child = fork();
  if (child == 0) {
    (void)dup2(ends[1], STDERR_FILENO);
    body();
    _exit(0);
  }
  (void)close(ends[1]);
  std::string words;
  std::array<char, 256> part{};
  for (ssize_t count = 1; count > 0;) {
    count = read(ends[0], part.data(), part.size());
    if (count > 0) {
      words.append(part.data(), static_cast<std::size_t>(count));
    }
  }
  (void)close(ends[0]);
  int status = 0;
  (void)waitpid(child, &status, 0);
  return WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT ? words : std::string();
}

#endif

}  // namespace

TEST_CASE("locks of rising rank are taken, and left in any order") {
  RankedMutex<Rank::kRequests> requests;
  RankedMutex<Rank::kThreads> threads;
  RankedMutex<Rank::kSender> sender;
  std::unique_lock first(requests);
  std::unique_lock second(threads);
  first.unlock();
  const std::unique_lock third(sender);
  second.unlock();
  CHECK((third.owns_lock() && !first.owns_lock() && !second.owns_lock()));
}

TEST_CASE("a condition is waited for with a ranked lock") {
  RankedMutex<Rank::kSender> sender;
  Condition changed;
  std::unique_lock lock(sender);
  changed.wait(lock, [] { return true; });
  CHECK(lock.owns_lock());
}

#ifdef JVMDEBUG_CHECK_LOCK_ORDER
TEST_CASE("a lock of a lower rank ends the process, with the names of both") {
  RankedMutex<Rank::kThreads> threads;
  RankedMutex<Rank::kSender> sender;
  const auto words = last_words([&] {
    const std::unique_lock high(sender);
    const std::unique_lock low(threads);
  });
  CHECK((words.contains("ThreadRegistry::mutex_") && words.contains("Sender::mutex_")));
  CHECK(last_words([&] {
          const std::unique_lock low(threads);
          const std::unique_lock high(sender);
        }).empty());
}

TEST_CASE("so does a second lock of one rank, and one that was only tried") {
  RankedMutex<Rank::kThreads> threads;
  RankedMutex<Rank::kThreads> other;
  CHECK(last_words([&] {
          const std::unique_lock one(threads);
          const std::unique_lock two(other);
        }).contains("ThreadRegistry::mutex_"));
  RankedMutex<Rank::kCommand, std::timed_mutex> command;
  CHECK(last_words([&] {
          const std::unique_lock one(threads);
          const std::unique_lock two(command, std::chrono::milliseconds{1});
        }).contains("Session::in_command_"));
}
#else
TEST_CASE("without the check a ranked mutex is one of the standard library") {
  CHECK((std::is_same_v<RankedMutex<Rank::kThreads>, std::mutex>));
  CHECK((std::is_same_v<Condition, std::condition_variable>));
}
#endif

}  // namespace jvmdebug::tests
