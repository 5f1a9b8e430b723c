// SPDX-License-Identifier: Apache-2.0
//
// How the agent hears that a virtual thread which it knows has ended. An event for every virtual
// thread would slow the program down, so each known one is asked for its own; but each such wish
// makes the VM look at all threads that have any, so that many would cost their square: beyond a
// few all are heard. Called by the thread table, on whatever thread meets a new one.
#pragma once

#include <atomic>

#include "agent/jvm/env.h"
#include "agent/threads/tracked_thread.h"

namespace jvmdebug::agent::threads {

class VirtualThreadEnds {
 public:
  // With `all` they are on for good: see events::watch_threads().
  VirtualThreadEnds(const jvm::Env& env, bool all) : env_(env), for_all_(all), on_for_all_(all) {}

  // The thread lives and is known from now on.
  void ask_for(const TrackedThread& thread);
  // It was heard.
  void heard(const TrackedThread& thread);
  // Somebody has switched the event off for all.
  void keep_on();

 private:
  const jvm::Env& env_;
  std::atomic<int> known_ = 0;
  std::atomic<bool> for_all_;     // they shall be heard
  std::atomic<bool> on_for_all_;  // and are
};

}  // namespace jvmdebug::agent::threads
