// SPDX-License-Identifier: Apache-2.0
//
// Raw monitors with a rank. A thread may only enter monitors of rising rank, so no two threads can
// wait for each other; builds with assertions check it.
//
// RULE: a monitor that is held over JNI or JVM TI calls is entered on the agent's own threads only.
// A thread of the debuggee can be suspended inside such a call, and would keep it for ever.
#pragma once

#include <cstdint>
#include <utility>

#include <jvmti.h>

#include "agent/jvm/result.h"

namespace jvmdebug::agent::jvm {

class Env;

// Lower ranks are entered first.
enum class Rank : std::uint8_t {
  kIds = 10,   // object, method, field and frame ids
  kLeaf = 90,  // holds nothing else, calls nothing
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
