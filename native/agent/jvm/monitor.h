// SPDX-License-Identifier: Apache-2.0
//
// Raw monitors with a rank. A thread may only enter monitors of rising rank, so no two threads can
// wait for each other; builds with assertions check it. Raw monitors and not std::mutex because
// whoever suspends threads must first own every monitor that an event callback can hold: a thread
// stopped inside a JNI call would keep it for ever.
//
// RULE for whoever calls SuspendThread*: enter, in this order, every monitor of rank kRequests and
// above (the ids' one by ids::ObjectTable::monitor()), suspend, leave them.
#pragma once

#include <cstdint>
#include <utility>

#include <jvmti.h>

#include "agent/jvm/result.h"

namespace jvmdebug::agent::jvm {

class Env;

// Lower ranks are entered first. The order is the order of the calls downward in the agent.
enum class Rank : std::uint8_t {
  kSession = 10,   // connection and life of the agent
  kRequests = 20,  // event requests
  kInvoker = 30,   // pending invocations
  kComposer = 40,  // event sets being made
  kStepper = 50,   // steps in progress
  kThreads = 60,   // thread table and suspend counts
  kIds = 70,       // object, method, field and frame ids
  kSender = 80,    // packets on their way out
  kLeaf = 90,      // holds nothing else, calls nothing
};

class Monitor {
 public:
  static Result<Monitor> create(const Env& env, const char* name, Rank rank);

  Monitor(Monitor&& other) noexcept
      : env_(other.env_), raw_(std::exchange(other.raw_, nullptr)), rank_(other.rank_) {}

  Monitor& operator=(Monitor&&) = delete;
  Monitor(const Monitor&) = delete;
  Monitor& operator=(const Monitor&) = delete;
  ~Monitor();

  [[nodiscard]] Rank rank() const { return rank_; }

 private:
  friend class Lock;

  Monitor(jvmtiEnv* env, jrawMonitorID raw, Rank rank) : env_(env), raw_(raw), rank_(rank) {}

  jvmtiEnv* env_;
  jrawMonitorID raw_;
  Rank rank_;
};

enum class WaitOutcome : std::uint8_t {
  kWoken,        // notified, timed out or spurious: test your condition
  kInterrupted,  // Thread.interrupt hit this thread; its flag was cleared and must be set again
                 // later
};

// Enters on construction, leaves on destruction. Monitors are recursive.
class Lock {
 public:
  explicit Lock(const Monitor& monitor);

  Lock(Lock&& other) noexcept
      : monitor_(std::exchange(other.monitor_, nullptr)), outer_rank_(other.outer_rank_) {}

  Lock& operator=(Lock&&) = delete;
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;
  ~Lock();

  // timeout_ms 0: for ever. Always wait in a loop on a condition of your own.
  [[nodiscard]] WaitOutcome wait(jlong timeout_ms = 0) const;
  void notify_all() const;

 private:
  const Monitor* monitor_;
  std::uint8_t outer_rank_;
};

}  // namespace jvmdebug::agent::jvm
