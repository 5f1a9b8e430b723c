// SPDX-License-Identifier: Apache-2.0
//
// Reports an exception from inside a call of the agent. The frames above those of the program are
// hidden while the thread is stopped. A virtual thread parks in Java, and asks still_waits()
// whether it has to wait on. On the thread itself.
#pragma once

#include "agent/events/event_set.h"
#include "agent/jvm/env.h"
#include "agent/jvm/jni.h"
#include "agent/threads/tracked_thread.h"

namespace jvmdebug::agent::events {
class Composer;
}

namespace jvmdebug::agent::threads {
class Parking;
class ThreadRegistry;
}  // namespace jvmdebug::agent::threads

namespace jvmdebug::agent::throws {

class ThrowReporter {
 public:
  ThrowReporter(const jvm::Env& env, threads::ThreadRegistry& threads, threads::Parking& parking,
                events::Composer& composer)
      : env_(env), threads_(threads), parking_(parking), composer_(composer) {}

  // Reports the exception. Returns whether the thread now has to wait in Java, as a virtual one
  // does if `may_park`.
  [[nodiscard]] bool report(const jvm::Jni& jni, const events::Occurrence& occurrence,
                            bool may_park);
  // Whether a thread that waits in Java has to wait on.
  [[nodiscard]] bool still_waits(const jvm::Jni& jni);

 private:
  void go_on(const threads::Tracked& self);

  const jvm::Env& env_;
  threads::ThreadRegistry& threads_;
  threads::Parking& parking_;
  events::Composer& composer_;
};

}  // namespace jvmdebug::agent::throws
