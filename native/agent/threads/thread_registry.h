// SPDX-License-Identifier: Apache-2.0
//
// Theory of operation of the room `threads`: which threads of the debuggee there are, which of them
// are suspended, and what they do there for the debugger.
//
// What it owns:
//
// - ThreadRegistry: a record (TrackedThread) of each thread that the debugger can see. A thread
//   registers itself in its first event. Threads that the debugger named before they began, or
//   after they ended, are kept apart. The agent's own threads (OwnThreads) are hidden and never
//   suspended.
// - Suspension: how often each thread is suspended. JDWP counts suspends, JVM TI does not, so JVM
//   TI suspends a thread when its count leaves 0 and resumes it when the count is 0 again.
// - Parking: what a thread does in a reported event: it waits until the event is sent, stays while
//   its count is above 0, and runs methods there. The table of states is in parking.h.
// - Invoker: methods that the debugger invokes. A command hands one over, the thread runs it while
//   it is parked, and the reporter's thread suspends again and replies.
// - Stepper: one step for each thread, by single steps where the step may end and by the end of a
//   frame elsewhere (FrameExits): the VM's frame pops or, in the fast mode, ReturnBreakpoints.
// - FramePopper: frames that are popped one by one, with the thread running to its next instruction
//   in between. ProgramResumes: Thread.resume() of the program.
//
// States of a thread, apart from its ParkState:
//
//   state      the thread                      next state
//
//   unknown    has no record                   unstarted  track(), before it has begun
//                                              begun      track(), or enter() in an event
//   unstarted  is not alive, but was named     begun      enter(), in its first event
//   begun      has its key in the VM           ended      forget(), in its last event
//   ended      is still suspended, or in an    (dropped)  drop_ended(), at a resume
//              event on its way out
//
// A thread that ends while it is suspended is kept until it has been resumed. A virtual thread is
// tracked only once it has an event or the debugger has its id, and is dropped when the debugger
// has gone: a reference of the agent would keep it from being collected.
//
// SuspendState says how a thread whose count is above 0 is held: by JVM TI, or, where JVM TI cannot
// because the thread begins or ends, in its next event (wait_at_event()). There it asks for being
// suspended by another thread, so that its stack can be read.
//
// Invariants:
//
// - No thread suspends itself, and no thread of the debuggee suspends another one: it hands that to
//   the reporter's thread (Reporter) and waits.
// - Only the debugger's resume lets a thread go that it has suspended. What the agent suspends for
//   a moment (while_all_suspended(), a step that begins on a running thread) leaves the counts as
//   they were. FramePopper resumes at the VM only, and suspends again in any case.
// - While all threads are suspended together, a thread that begins has the count of all.
// - An interrupt or an exception that comes while a thread is parked in an event is delivered when
//   the thread leaves the event, not to a method that it runs meanwhile.
// - Frame ids are valid for one suspension: each resume drops them, before a thread runs.
// - After Suspension::close() nothing is suspended any more, not even for a moment, until reopen().
//
// Interfaces. This room knows none of those above it. It calls Reporter for work on the agent
// thread that talks to the debugger, BreakpointSetter for breakpoints of the agent's own,
// InvocationScopes around an invoked method, and StepPlace for what a step asks about its location.
// `events` implements them. The parts of the room refer to each other in both directions; each
// lists what it uses in its struct Uses.
//
// Threads. Commands run on agent threads: suspend(), resume(), Stepper::begin() and end(),
// Invoker::request(), FramePopper::pop(), Parking::interrupt(). Events run on the thread itself:
// enter(), park(), stays(), Invoker::run(), Stepper::completes() and its on_...() functions, and
// FramePopper::arrived(). close() may be called on any thread, also on one that is suspended.
//
// Locks. The registry's lock (rank kThreads) guards the list, the counts and the park states;
// tracked_thread.h says which fields. A thread of the debuggee takes it only for a moment and makes
// no JNI or JVM TI call while it holds it. So a thread that JVM TI has suspended never holds it,
// and the agent's threads may suspend and resume threads while they hold it. The same is true of
// every other lock of the agent that threads of the debuggee take. Those threads never use the id
// tables, whose monitor is held over JVM calls: ids are made on the agent's threads. References are
// deleted without the lock, because that calls the VM; so what is dropped under it goes to a list
// first.
//
// Facts of HotSpot that it relies on, or avoids:
//
// - Thread-local storage of JVM TI is per thread and environment, and can be set only for a thread
//   that is alive. It holds the key of the record: 0 unknown, 1 our own, else a number. A key
//   without a record means that the thread's last event was sent.
// - SuspendThread returns when the thread runs no more Java code. For a thread that begins or ends
//   it returns THREAD_NOT_ALIVE.
// - SuspendAllVirtualThreads also suspends those that are not tracked. Resuming virtual threads one
//   by one searches a list for each, so they are resumed together.
// - A suspended carrier mounts no virtual thread. So one that waits in Java stays in native code
//   while all threads are suspended (Parking::stays()).
// - Popping a frame removes its frame pop notification. If the VM is just sending that event, it
//   aborts when the notification is missing (FramePopper::pop_one()). Before JDK 25 notifications
//   cannot be cleared, and keep the thread in the interpreter.
// - VirtualThreadEnd enabled for all threads slows the program down; enabled for single threads its
//   cost grows with their number (VirtualThreadEnds).
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <ranges>
#include <unordered_map>
#include <vector>

#include <jvmti.h>

#include "agent/jvm/env.h"
#include "agent/jvm/jni.h"
#include "agent/locks/ranked_mutex.h"
#include "agent/threads/own_threads.h"
#include "agent/threads/tracked_thread.h"
#include "agent/threads/virtual_thread_ends.h"
#include "codec/result.h"

namespace jvmdebug::agent::threads {

class Suspension;

class ThreadRegistry {
 public:
  using Mutex = RankedMutex<Rank::kThreads>;
  // The held lock. A function that takes one as a parameter runs under the lock.
  using Lock = std::unique_lock<Mutex>;

  // `includes_virtual`: the option includevirtualthreads.
  ThreadRegistry(const jvm::Env& env, Suspension& suspension, bool includes_virtual);

  // --- for commands; on the agent's threads --------------------------------------------------

  // Returns INVALID_THREAD for one of our own threads.
  [[nodiscard]] Result<void> check_visible(jthread thread) const;
  // Returns the live platform threads except our own; with includevirtualthreads=y virtual threads
  // as well.
  [[nodiscard]] Result<std::vector<jvm::LocalRef<jthread>>> visible_threads(const jvm::Jni& jni);

  [[nodiscard]] Tracked find(jthread thread);
  // Finds the record of a thread, or begins to track the thread.
  [[nodiscard]] Tracked track(jthread thread);
  // Returns all tracked threads that have begun.
  [[nodiscard]] std::vector<Tracked> tracked() const;

  // Tracks, at VMInit, the platform threads that began before thread start events were enabled.
  // From then on each thread registers itself.
  [[nodiscard]] Result<void> track_present(const jvm::Jni& jni);
  // Drops the virtual threads that the debugger has used, after it has disconnected: a reference of
  // the agent keeps them from being collected (as HotSpot does with those that had an event). False
  // when one has not left its event yet.
  bool forget_virtual();

  [[nodiscard]] OwnThreads& own_threads() { return own_threads_; }

  [[nodiscard]] VirtualThreadEnds& virtual_thread_ends() { return virtual_thread_ends_; }

  // --- for events; on the thread itself ------------------------------------------------------

  // Returns the current thread's record, made if needed; null on one of our own threads. Returns
  // only when the thread may run: a thread that begins while the VM is suspended waits here.
  [[nodiscard]] Tracked enter(const jvm::Jni& jni, jthread thread);

  // Whether the current thread is the agent's own. Never waits, not even if the thread is to be
  // suspended.
  [[nodiscard]] bool is_own_thread() const { return key_of(nullptr) == OwnThreads::kKey; }

  // Like enter(), but only looks: null also for a thread that is not tracked.
  [[nodiscard]] Tracked current() const { return lookup(key_of(nullptr)); }

  // The same for another thread.
  [[nodiscard]] Tracked find_begun(jthread thread) const { return lookup(key_of(thread)); }

  // Called when the thread ends.
  void forget(const Tracked& thread);

  // --- for Suspension and Parking ------------------------------------------------------------
  [[nodiscard]] Lock lock() const { return Lock(mutex_); }

  [[nodiscard]] auto begun(const Lock& /*held*/) const { return std::views::values(by_key_); }

  // Finds a thread; null if it is not tracked, or has not begun.
  [[nodiscard]] Tracked find_begun(const Lock& held, jthread thread) const;

  [[nodiscard]] const std::vector<Tracked>& unstarted(const Lock& /*held*/) const {
    return unstarted_;
  }

  [[nodiscard]] std::vector<Tracked> take_unstarted(const Lock& held);
  void drop_unstarted(const Lock& held, const Tracked& thread);
  // The threads that are dropped go to `gone`, to be released without the lock.
  void drop_ended(const Lock& held, std::vector<Tracked>& gone);

 private:
  [[nodiscard]] std::uintptr_t key_of(jthread thread) const;
  [[nodiscard]] Tracked lookup(std::uintptr_t key) const;
  [[nodiscard]] Tracked create(const jvm::Jni& jni, jthread thread);
  [[nodiscard]] Tracked adopt_unstarted(const jvm::Jni& jni, jthread thread);
  void keep_unstarted(const Lock& held, const Tracked& thread, std::vector<Tracked>& gone);

  const jvm::Env& env_;
  Suspension& suspension_;
  const bool includes_virtual_;
  OwnThreads own_threads_;
  VirtualThreadEnds virtual_thread_ends_;
  mutable Mutex mutex_;
  std::unordered_map<std::uintptr_t, Tracked> by_key_;
  // Threads that the debugger named before they began or after they ended, without thread-local
  // storage.
  std::vector<Tracked> unstarted_;
  std::size_t look_through_unstarted_at_ = 64;
  std::uintptr_t next_key_ = OwnThreads::kKey + 1;
};

}  // namespace jvmdebug::agent::threads
