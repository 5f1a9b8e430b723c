// SPDX-License-Identifier: Apache-2.0
//
// Theory of operation of the room `events`: from what the VM reports to what the debugger is told.
//
// The way of an event:
//
//     callbacks --> Occurrence --> Composer --> EventSet --> Sender --> the wire
//                                     |                        |
//                   requests, filters-+          Suspension ---+--- ids are made here
//
// - callbacks.cpp: finds the agent of an environment. Each callback runs inside the guard of
//   callback_guard.h, makes an Occurrence with local references, translates its location into the
//   one that the debugger sees (code_versions.h), and drops what the agent causes itself.
// - Composer (this file): asks the requests, collects the events at one location into one set,
//   hands the set to the Sender and parks the thread until the debugger resumes it.
// - RequestTable: the debugger's requests, and what is armed in the VM for them: breakpoints, field
//   watches, event modes (EventModes), steps, method exits, throws.
// - Filter: one class for each modifier, evaluated on the event's thread through a Match, which
//   looks up what costs a call into the VM only once.
// - Breakpoints: counts the uses of a breakpoint, because the VM has only one at a location, and
//   removes breakpoints where that is safe. ForeignChanges: sets them again in classes that another
//   agent has changed.
// - MethodExits, FrameCalls, OperandReader: method exits and returned values in the fast mode,
//   whose VM reports none.
// - Sender: one agent thread that sends the sets in order, and suspends by their policies.
// - ClassUnloadWatch: unloaded classes, by tags.
//
// States of a request: made (its filters resolve ids) --> published --> armed --> inactive -->
// gone. It is published before it is armed, since its first event may come at once; it is inactive
// before it is disarmed, so nothing more is reported. A count that has run out makes it inactive on
// the event's thread (`spent`); an agent thread disarms it afterwards (retire()).
//
// Events at one location. The VM reports a method entry, a single step and a breakpoint at the same
// instruction one after the other; JDWP wants one set. So a thread keeps matching events
// (TrackedThread::pending) as long as another one is to come: waits_for_another(). If that one does
// not come, because its request was cleared, report_stale_pending() sends them from the next event.
// A breakpoint that was set while the thread stood at its location is not hit again when the thread
// goes on (last_reported, was_reported()).
//
// Invariants:
//
// - Each event that matches is in exactly one set, unless its debugger has gone or the VM ends. A
//   set belongs to the debugger that made the requests; no other one gets it.
// - The newest request is first in a set, and the policy of the set is the highest of its events,
//   as in the JDK's own agent. After a set that suspended all threads none is sent until something
//   is resumed.
// - A thread does not suspend itself. It waits in Sender::send() until the sender's thread has
//   suspended what the policy names and has sent the set, and parks then (threads/parking.h).
// - A breakpoint event with no request at its location and no step of its thread costs one look
//   into a published list: steps of other threads and watched returns are hit often.
// - Without a debugger, sets are dropped and suspend nothing.
// - From vm_dies() on no event stops a thread; VMDeath is the last set.
//
// Interfaces. The room implements those of `threads`: Sender is its Reporter, Breakpoints its
// BreakpointSetter, Match a StepPlace, InvocationChanges its InvocationScopes. It knows the rooms
// above it as Checks (hits that the program checks itself) and ThrowSource (exceptions in the fast
// mode). The parts refer to each other in both directions; each lists what it uses in its struct
// Uses.
//
// Threads. take(), thread_started(), thread_ended(), frame_popped() and exception_caught() run on
// the event's thread, class_unloaded() on the sender's. RequestTable is changed on agent threads.
// Filters may run on several threads at once. Breakpoints::add() and remove_later() may be called
// on any thread, remove() on agent threads only: a thread of the debuggee that is suspended inside
// ClearBreakpoint would later remove a breakpoint that was set again meanwhile.
//
// Locks. RequestTable has two: one for changes (kRequests), held over calls into the VM, on agent
// threads only; and one for the published lists (kPublished), which event threads take for a
// moment. EventModes has one of its own: arming a request may change classes, and that may need the
// events of breakpoints. No lock is held over a call into the VM on an event's thread (see
// threads/thread_registry.h). The lists are immutable and shared, so an event goes on with the list
// that it has read.
//
// Facts of HotSpot that it relies on, or avoids:
//
// - Callbacks of one thread are not nested, except while the thread runs a method for the debugger
//   or code that the agent calls; then Parking and OperandReader::Unseen tell them apart.
// - The VM reports a single step before the breakpoint at the same instruction, and a method entry
//   before both.
// - Where a step finds by a breakpoint or a method entry that its frame was left, the VM reports no
//   single step for that location: the Composer treats the event as the step (collect_as_step()).
// - A cleared breakpoint may be read a moment later where an exception is caught, and its record
//   may stay for good: breakpoints.h.
// - ObjectFree may come while the VM is stopped: no JNI, no wait, only work for the sender's
//   thread.
// - A thread that ends the VM reports its own end before VMDeath.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>

#include <jvmti.h>

#include "agent/events/event_set.h"
#include "agent/events/match.h"
#include "agent/events/request_table.h"
#include "agent/threads/thread_registry.h"

namespace jvmdebug::agent::threads {
class FramePopper;
class Parking;
class Stepper;
}  // namespace jvmdebug::agent::threads

namespace jvmdebug::agent::events {

class Sender;
class ThrowSource;

class Composer {
 public:
  struct Uses {
    const jvm::Env& env;
    threads::ThreadRegistry& registry;
    threads::Parking& parking;
    threads::Stepper& stepper;
    threads::FramePopper& frame_popper;
    RequestTable& requests;
    Sender& sender;
    ThrowSource& throws;
  };

  explicit Composer(const Uses& uses) : uses_(uses) {}

  // Handles an event of the current thread.
  void take(const jvm::Jni& jni, const Occurrence& occurrence);
  // Whether no request can match the exit of the method; checked first, as most exits match none.
  // If true, take() is not called.
  [[nodiscard]] bool may_skip_exit(const jvm::Jni& jni, jthread thread, jmethodID method);
  // The same for the entry of the method.
  [[nodiscard]] bool may_skip_entry(jmethodID method) const;
  // Called when the thread has begun; returns when it may run.
  void thread_started(const jvm::Jni& jni, jthread thread);
  void thread_ended(const jvm::Jni& jni, jthread thread);
  // Handles a frame pop, for steps only; frame pops are never reported.
  void frame_popped(const jvm::Jni& jni, jthread thread);
  void exception_caught(const jvm::Jni& jni, jthread thread);

  // Reports the first event that a debugger gets: VM start, or the exception at which debugging
  // began. It needs no request; its request id is 0. Calls `sent` when it was sent.
  void report_start(const jvm::Jni& jni, const Occurrence& occurrence, bool suspend,
                    const std::function<void()>& sent);

  // Called when the VM begins to end: events no longer stop threads. Any thread; makes no call into
  // the VM.
  void vm_dies() { vm_dies_ = true; }

  // Reports the last event. If the debugger has requested it with a suspend policy, calls `hold`
  // first, and the VM stays until it is resumed.
  void vm_died(const jvm::Jni& jni, const std::function<void()>& hold);
  void class_unloaded(const jvm::Jni& jni, const std::string& signature);

 private:
  void take_entered(const jvm::Jni& jni, const Occurrence& occurrence, const threads::Tracked& self,
                    const RequestList& here);
  // `here`: the requests for a breakpoint at its location, looked up once for each hit.
  void collect(const Occurrence& occurrence, const RequestList& here, Match& match, EventSet& set);
  void collect_all(const Occurrence& occurrence, const RequestList& here, Match& match,
                   EventSet& set);
  void collect_from(const RequestList& requests, const Occurrence& occurrence, Match& match,
                    EventSet& set);
  void collect_as_step(const jvm::Jni& jni, const Occurrence& occurrence,
                       const threads::Tracked& self);
  [[nodiscard]] bool waits_for_another(const Occurrence& occurrence, const threads::Tracked& self,
                                       bool stepped);
  void report_stale_pending(const jvm::Jni& jni, const Occurrence& occurrence,
                            const threads::Tracked& self);
  [[nodiscard]] RequestList breakpoints_at(const Occurrence& occurrence) const;
  [[nodiscard]] bool vm_reports_at(const Occurrence& occurrence) const;
  void arrive_at(const jvm::Jni& jni, const Occurrence& occurrence, const threads::Tracked& self,
                 const threads::Arrival& target);
  [[nodiscard]] std::int32_t newest_breakpoint_at(const Occurrence& occurrence) const;
  [[nodiscard]] static bool was_reported(const Occurrence& occurrence, const RequestList& here,
                                         const threads::Tracked& self);
  [[nodiscard]] bool is_far_from(const Request& request, const jvm::Jni& jni, jthread thread,
                                 jmethodID method);
  void retire_exhausted(const Request& request, const jvm::Jni& jni, jthread thread);
  [[nodiscard]] bool is_stepping() const;
  void report(const jvm::Jni& jni, const threads::Tracked& self, EventSet set);

  const Uses uses_;
  std::atomic<bool> vm_dies_ = false;
};

}  // namespace jvmdebug::agent::events
