// SPDX-License-Identifier: Apache-2.0
//
// How often each thread is suspended. JVM TI does not count suspends, JDWP does; the rules are
// those of the JDK's own agent. JVM TI suspends a thread when its count leaves 0 and resumes it
// when the count is 0 again. Everything but the last group runs on agent threads. The counts are
// guarded by the lock of the ThreadRegistry.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

#include <jvmti.h>

#include "agent/events/code_location.h"
#include "agent/jvm/env.h"
#include "agent/threads/thread_registry.h"
#include "codec/result.h"

namespace jvmdebug::agent::threads {

// A location and the number of threads that are there.
struct OccupiedLocation {
  events::CodeLocation location;
  std::size_t threads = 0;
};

class Suspension {
 public:
  explicit Suspension(Agent& agent);

  // --- for commands --------------------------------------------------------------------------

  // THREAD_NOT_SUSPENDED, or INVALID_THREAD for one of our own. Every command on a stack asks this.
  [[nodiscard]] Result<void> check_suspended(jthread thread);

  [[nodiscard]] bool is_suspended(jthread thread) { return count_of(thread) > 0; }

  [[nodiscard]] int count_of(jthread thread);
  Result<void> suspend(jthread thread);
  Result<void> resume(jthread thread);
  Result<void> suspend_all();
  Result<void> resume_all();
  // The debugger has gone, or the VM ends: every count becomes 0, invocations that have not begun
  // are dropped.
  void release_all();

  // --- for other parts of the agent ----------------------------------------------------------

  // The VM begins to end: no thread is suspended from now on, not even for a moment, until the
  // debugger is to hold the end. Who asks is told VM_DEAD. Any thread.
  void close();
  void reopen();

  // A thread that waits until its event has been sent.
  Result<void> suspend_for_event(const Tracked& thread);
  // The program has resumed a thread that the debugger has suspended. On an agent thread.
  void suspend_again(const Tracked& thread);
  // Resumes without saying that the debugger has resumed something.
  void resume_quietly(const Tracked& thread);

  // Suspends all threads for a moment, which the debugger does not see. Calls `body` for each
  // location where no more threads are than `threads_in_event` returns for it. Returns those of the
  // other locations that have a thread which runs afterwards; nothing when the threads could not be
  // suspended.
  [[nodiscard]] std::optional<std::vector<OccupiedLocation>> while_all_suspended(
      const std::vector<events::CodeLocation>& locations,
      const std::function<std::size_t(const events::CodeLocation&)>& threads_in_event,
      const std::function<void(const events::CodeLocation&)>& body);

  // The same for `body`, which takes no lock before kThreads. For how long threads that ran were
  // suspended; nothing, and nothing is called, when the threads could not be suspended.
  [[nodiscard]] std::optional<std::chrono::nanoseconds> while_all_suspended(
      const std::function<void()>& body);

  // --- for the ThreadRegistry: threads that it begins to track -------------------------------

  // A thread that somebody else has met.
  void join(const ThreadRegistry::Lock& held, TrackedThread& thread) const;
  // One that has met itself, in an event; wait_at_event() follows.
  void join_at_event(const ThreadRegistry::Lock& held, TrackedThread& thread) const;

  [[nodiscard]] bool is_closed(const ThreadRegistry::Lock& /*held*/) const { return is_closed_; }

  // Whether a thread that begins now is suspended with all others.
  [[nodiscard]] bool all_suspended(const ThreadRegistry::Lock& /*held*/) const {
    return all_count_ > 0;
  }

  // On the thread itself: waits if it is to be suspended and JVM TI could not do that.
  void wait_at_event(const Tracked& self);

 private:
  class SuspendAllScope;
  using Lock = ThreadRegistry::Lock;

  Result<void> suspend(const Lock& held, const Tracked& thread);
  void resume(const Lock& held, const Tracked& thread);
  void suspend_now(const Tracked& thread);
  void suspend_together(std::vector<Tracked>& threads);
  void resume_together(std::vector<Tracked>& threads);
  bool resume_virtual_threads(const Lock& held);
  std::vector<Tracked> count_down(const Lock& held);
  void forget_frames(const std::vector<Tracked>& resumed, bool all);

  Agent& agent_;
  const jvm::Env& env_;
  ThreadRegistry& registry_;
  int all_count_ = 0;       // how often all threads are suspended together
  bool is_closed_ = false;  // by the lock as well
};

}  // namespace jvmdebug::agent::threads
