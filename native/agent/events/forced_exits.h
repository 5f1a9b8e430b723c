// SPDX-License-Identifier: Apache-2.0
//
// Method exits of frames whose return was forced, in a VM that has no method exit events (the fast
// mode): such a frame reaches no return instruction. A thread that is parked in an event reports
// the exit itself when it leaves that event, with the value that was forced, and waits once more if
// the request suspends it; then the VM returns. Meanwhile no method can be invoked in the frame and
// no other return forced, because the return is pending in the VM. A thread that was suspended
// elsewhere runs no code of the agent before the VM returns, so its exit is not reported.
#pragma once

#include <atomic>
#include <cstdint>
#include <unordered_map>

#include <jvmti.h>

#include "agent/jvm/env.h"
#include "agent/jvm/java_value.h"
#include "agent/jvm/jni.h"
#include "agent/locks/ranked_mutex.h"
#include "agent/threads/tracked_thread.h"

namespace jvmdebug::agent::threads {
class ThreadRegistry;
}

namespace jvmdebug::agent::events {

class Composer;

class ForcedExits {
 public:
  ForcedExits(const jvm::Env& env, threads::ThreadRegistry& registry, Composer& composer)
      : env_(env), registry_(registry), composer_(composer) {}

  // Notes that the topmost frame of a parked thread will return that value, whose reference may be
  // local. On an agent thread.
  void add(const threads::Tracked& thread, const threads::TopFrame& top,
           const jvm::JavaValue& value);

  // Whether the current thread has left no event since add(). On the thread itself.
  [[nodiscard]] bool contains(const threads::Tracked& self) const;

  // Called when the current thread is about to leave the callback of an event.
  void event_left(const jvm::Jni& jni);

 private:
  struct Forced {
    threads::TopFrame top;
    jvm::JavaValue value;
    jvm::GlobalRef<jobject> object;
  };

  void report(const jvm::Jni& jni, const threads::Tracked& self, const Forced& forced);

  const jvm::Env& env_;
  threads::ThreadRegistry& registry_;
  Composer& composer_;
  std::atomic<int> count_ = 0;
  mutable RankedMutex<Rank::kMethodExits> mutex_;  // no call into the VM under it
  std::unordered_map<std::uintptr_t, Forced> by_thread_;
};

}  // namespace jvmdebug::agent::events
