// SPDX-License-Identifier: Apache-2.0
//
// Raw monitors of JVM TI. They have ranks like all locks of the agent (locks/ranked_mutex.h); a
// thread may enter a monitor again that it is in.
//
// RULE: a monitor that is held over JNI or JVM TI calls is entered on the agent's own threads only.
// A thread of the debuggee can be suspended inside such a call, and would then hold the monitor for
// ever.
#pragma once

#include <cstdint>
#include <utility>

#include <jvmti.h>

#include "agent/jvm/result.h"
#include "agent/locks/ranked_mutex.h"

namespace jvmdebug::agent::jvm {

class Env;

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

  Lock(Lock&& other) noexcept : monitor_(std::exchange(other.monitor_, nullptr)) {
#ifdef JVMDEBUG_CHECK_LOCK_ORDER
    is_inner_ = other.is_inner_;
#endif
  }

  Lock& operator=(Lock&&) = delete;
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;
  ~Lock();

  // Waits; with a timeout_ms of 0 without limit. Always wait in a loop that tests your condition.
  [[nodiscard]] WaitOutcome wait(jlong timeout_ms = 0) const;
  void notify_all() const;

 private:
  void note_left() const;

  const Monitor* monitor_;
#ifdef JVMDEBUG_CHECK_LOCK_ORDER
  bool is_inner_ = false;  // the thread was already in it
#endif
};

}  // namespace jvmdebug::agent::jvm
