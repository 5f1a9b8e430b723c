// SPDX-License-Identifier: Apache-2.0
//
// Enables VirtualThreadEnd events for the virtual threads that the agent tracks. If the event is
// enabled for all threads, it slows the program down, so it is enabled for each tracked thread
// separately. But then the VM's work for each thread is proportional to their number; so beyond a
// few threads the event is enabled for all, until no virtual thread is tracked any more. Called by
// the ThreadRegistry, on the thread that begins to track one.
#pragma once

#include <atomic>

#include "agent/jvm/env.h"
#include "agent/threads/tracked_thread.h"

namespace jvmdebug::agent::threads {

class VirtualThreadEnds {
 public:
  // `always` keeps the events enabled for all threads: see events::watch_threads().
  VirtualThreadEnds(const jvm::Env& env, bool always)
      : env_(env), always_(always), needs_all_(always), is_enabled_for_all_(always) {}

  // Called when a live thread is tracked from now on.
  void enable_for(TrackedThread& thread);
  // Called when the thread's end was reported, or is known otherwise. May be called more than once.
  void forget(TrackedThread& thread);
  // Called when a live thread is no longer tracked.
  void disable_for(TrackedThread& thread);
  // Disables the event if no tracked thread needs it; called when no event request does.
  void disable_if_unused();
  // Called when other code has disabled the event for all threads.
  void enable_again();

 private:
  void enable_for_all();

  const jvm::Env& env_;
  const bool always_;
  std::atomic<int> known_ = 0;
  std::atomic<bool> needs_all_;           // to be enabled for all threads
  std::atomic<bool> is_enabled_for_all_;  // is enabled for all threads
};

}  // namespace jvmdebug::agent::threads
