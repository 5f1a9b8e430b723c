// SPDX-License-Identifier: Apache-2.0
//
// How often each thread is suspended. JDWP counts suspends, JVM TI does not; the rules are those of
// the JDK's own agent. JVM TI suspends a thread when its count leaves 0 and resumes it when the
// count is 0 again. Everything but the last group runs on agent threads. The counts are guarded by
// the lock of the ThreadRegistry.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

#include <jvmti.h>

#include "agent/ids/frame_ids.h"
#include "agent/ids/object_table.h"
#include "agent/jvm/code_location.h"
#include "agent/jvm/env.h"
#include "agent/threads/breakpoint_setter.h"
#include "agent/threads/reporter.h"
#include "agent/threads/thread_registry.h"
#include "codec/result.h"

namespace jvmdebug::agent::threads {

// A location and the number of threads that are there.
struct OccupiedLocation {
  jvm::CodeLocation location;
  std::size_t threads = 0;
};

class Parking;
class Stepper;

class Suspension {
 public:
  struct Uses {
    const jvm::Env& env;
    ThreadRegistry& registry;
    Parking& parking;
    Stepper& stepper;
    ids::ObjectTable& objects;
    ids::FrameIds& frame_ids;
    BreakpointSetter& breakpoints;
    Reporter& reporter;
  };

  explicit Suspension(const Uses& uses);

  // --- for commands --------------------------------------------------------------------------

  // Returns THREAD_NOT_SUSPENDED, or INVALID_THREAD for one of our own threads. Called by every
  // command on a stack.
  [[nodiscard]] Result<void> check_suspended(jthread thread);

  [[nodiscard]] bool is_suspended(jthread thread) { return count_of(thread) > 0; }

  [[nodiscard]] int count_of(jthread thread);

  // Whether the debugger has suspended anything. Any thread.
  [[nodiscard]] bool holds_threads() const;
  Result<void> suspend(jthread thread);
  Result<void> resume(jthread thread);
  Result<void> suspend_all();
  Result<void> resume_all();
  // Sets every count to 0 and drops invocations that have not begun, because the debugger has
  // disconnected or the VM ends.
  void release_all();

  // --- for other parts of the agent ----------------------------------------------------------

  // Called when the VM begins to end: no thread is suspended from now on, not even for a moment,
  // until the debugger is to hold the end of the VM. Callers get VM_DEAD. Any thread.
  void close();
  void reopen();

  // Suspends a thread that waits until its event has been sent.
  Result<void> suspend_for_event(const Tracked& thread);
  // Suspends a thread again that the debugger has suspended and the program has resumed. On an
  // agent thread.
  void suspend_again(const Tracked& thread);
  // Resumes without noting that the debugger has resumed something.
  void resume_quietly(const Tracked& thread);

  // Suspends all threads for a moment, which the debugger does not notice. Calls `body` for each
  // location with no more threads than `threads_in_event` returns for it. Of the other locations,
  // returns those with a thread that runs afterwards; nothing when the threads could not be
  // suspended.
  [[nodiscard]] std::optional<std::vector<OccupiedLocation>> while_all_suspended(
      const std::vector<jvm::CodeLocation>& locations,
      const std::function<std::size_t(const jvm::CodeLocation&)>& threads_in_event,
      const std::function<void(const jvm::CodeLocation&)>& body);

  // The same, but calls `body` once; it takes no lock of a rank before kThreads. Returns how long
  // running threads were suspended. When the threads could not be suspended, `body` is not called
  // and nothing is returned.
  [[nodiscard]] std::optional<std::chrono::nanoseconds> while_all_suspended(
      const std::function<void()>& body);

  // --- for the ThreadRegistry: threads that it begins to track -------------------------------

  // Sets the suspend count of a thread that another thread begins to track.
  void join(const ThreadRegistry::Lock& held, TrackedThread& thread) const;
  // The same for a thread that begins to track itself, in an event; wait_at_event() follows.
  void join_at_event(const ThreadRegistry::Lock& held, TrackedThread& thread) const;

  [[nodiscard]] bool is_closed(const ThreadRegistry::Lock& /*held*/) const { return is_closed_; }

  // How often all threads are suspended together.
  [[nodiscard]] int all_count(const ThreadRegistry::Lock& /*held*/) const { return all_count_; }

  // Whether all threads are suspended together, also one that begins now.
  [[nodiscard]] bool all_suspended(const ThreadRegistry::Lock& /*held*/) const {
    return all_count_ > 0;
  }

  // Called on the thread itself: waits if it has to be suspended and JVM TI could not do it.
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

  const Uses uses_;
  const jvm::Env& env_;
  ThreadRegistry& registry_;
  int all_count_ = 0;       // how often all threads are suspended together
  bool is_closed_ = false;  // guarded by the lock as well
};

}  // namespace jvmdebug::agent::threads
