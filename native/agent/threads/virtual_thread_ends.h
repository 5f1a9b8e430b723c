// SPDX-License-Identifier: Apache-2.0
//
// How the agent hears that a virtual thread which it knows has ended. An event for every virtual
// thread would slow the program down, so each known one is asked for its own; but each such wish
// makes the VM look at all threads that have any, so that many would cost their square: beyond a
// few all are heard, until none is known any more. Called by the thread table, on whatever thread
// meets a new one.
#pragma once

#include <atomic>

#include "agent/jvm/env.h"
#include "agent/threads/tracked_thread.h"

namespace jvmdebug::agent::threads {

class VirtualThreadEnds {
 public:
  // With `always` they are on for good: see events::watch_threads().
  VirtualThreadEnds(const jvm::Env& env, bool always)
      : env_(env), always_(always), for_all_(always), on_for_all_(always) {}

  // The thread lives and is known from now on.
  void ask_for(TrackedThread& thread);
  // It was heard, or it is known to have ended. May be repeated.
  void heard(TrackedThread& thread);
  // It need not be known any more, and lives.
  void give_up(TrackedThread& thread);
  // Threads were given up, and no request of the debugger's needs the event.
  void rest();
  // Somebody has switched the event off for all.
  void keep_on();

 private:
  void switch_on_for_all();

  const jvm::Env& env_;
  const bool always_;
  std::atomic<int> known_ = 0;
  std::atomic<bool> for_all_;     // they shall be heard
  std::atomic<bool> on_for_all_;  // and are
};

}  // namespace jvmdebug::agent::threads
