// SPDX-License-Identifier: Apache-2.0
//
// Reference counts of the VM's breakpoints: several event requests and the steps of several threads
// (ReturnBreakpoints) may need a breakpoint at one location, where the VM has only one. add() may
// be called on any thread. remove() is for agent threads: if a thread of the debuggee were
// suspended inside ClearBreakpoint, it would later remove a breakpoint that was set again in the
// meantime.
//
// A defect of HotSpot: when it finds the handler of an exception, it reads the bytecode of the
// handler's first instruction, and runs it a moment later. If that was a breakpoint which has been
// cleared in between, the VM aborts ("no original bytecode found"). So a removed breakpoint at a
// location that only exceptions reach stays set until clear_removed() finds, with all threads
// suspended, that no thread is there. Threads in the event of that breakpoint do not count, since
// the VM sends the event after it has read the instruction. Other threads there run until they are
// in the event, and wait in it.
//
// Another defect (JDK 11 to 25): HotSpot also sets a breakpoint in older versions of a method, and
// makes the program compute wrong values there: see code/older_versions.h. So add() is the gate:
// it refuses a breakpoint that would do so.
//
// And what it keeps of a breakpoint that is cleared stays for good if it has freed such a version
// in between. A compiler undoes breakpoints in its copy of a method by that list; where the method
// has other code since, the copy gets an opcode of the older one, if a breakpoint is set anywhere
// in the method just before it copies. So before one is set, such records are taken out of the VM's
// list. See take_out_left_records().
#pragma once

#include <chrono>
#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "agent/events/code_location.h"
#include "agent/jvm/breakpoint_records.h"
#include "agent/jvm/env.h"
#include "agent/jvm/jni.h"
#include "agent/locks/ranked_mutex.h"

namespace jvmdebug::agent {
class Agent;
}

namespace jvmdebug::agent::threads {
struct OccupiedLocation;
}

namespace jvmdebug::agent::events {

class Breakpoints {
 public:
  explicit Breakpoints(Agent& agent);

  // Any thread. After an error there is nothing to remove(). JVMTI_ERROR_NOT_AVAILABLE where it
  // would_harm().
  [[nodiscard]] jvm::Result<void> add(const CodeLocation& location);
  // Agent threads; the caller calls clear_removed() afterwards.
  void remove(const CodeLocation& location);
  void clear_removed();
  // Any thread: remove() and clear_removed() run soon, on the sender's thread.
  void remove_later(std::vector<CodeLocation> locations);
  // Any thread: whether a breakpoint there makes the program run wrong code, in an older version of
  // the method or, if one may live, in the newest. See code/older_versions.h.
  [[nodiscard]] bool would_harm(const CodeLocation& location);
  // Any thread: the same, also in doubt. What the agent sets for itself is not set then.
  [[nodiscard]] bool may_harm(const CodeLocation& location);
  // Agent threads: the methods of the class with breakpoints of the VM at accesses to fields.
  [[nodiscard]] std::set<jmethodID> field_users_in(jclass type);
  // Agent threads: whether one is set that may harm once the class has changed. Not those at
  // `entering`, one for each time that it is there, which probes replace in the same change.
  [[nodiscard]] bool would_harm_after_change(jclass type, std::span<const CodeLocation> entering);
  // How many threads are in the event of that breakpoint; see BreakpointEventScope.
  [[nodiscard]] std::size_t threads_in_event(const CodeLocation& location);

  // Any thread: where in a method breakpoints are wanted.
  [[nodiscard]] std::vector<jlocation> indices_in(jmethodID method);
  [[nodiscard]] bool is_empty();

  // Agent threads, before a redefinition of the types, which removes the VM's breakpoints in them.
  // Removes those that only exceptions reach, safely, and returns them with their counts for
  // restore(), which is called if the redefinition fails.
  [[nodiscard]] std::vector<std::pair<CodeLocation, int>> remove_before_redefinition(
      std::span<const jvm::LocalRef<jclass>> types);
  void restore(const std::vector<std::pair<CodeLocation, int>>& removed);
  // Agent threads. A probe reports one of those that want it, but in old frames; or no more.
  void leave_to_probes(std::span<const CodeLocation> locations);
  void take_from_probe(const CodeLocation& location);
  // Agent threads. The same after a redefinition: the new code may have no instruction there.
  void lost_probe(const CodeLocation& location);
  // Agent threads, after a retransformation of the type, which has removed the VM's breakpoints in
  // it and left the instructions before them where they were: sets them again.
  void set_again(jclass type);
  // Agent threads, when threads were resumed: tries again to clear breakpoints that could not be.
  void resumed();

  // While one lives classes may be redefined, and the VM clear breakpoints of its own accord.
  class Redefining {
   public:
    explicit Redefining(Breakpoints& breakpoints);
    Redefining(const Redefining&) = delete;
    Redefining& operator=(const Redefining&) = delete;
    Redefining(Redefining&&) = delete;
    Redefining& operator=(Redefining&&) = delete;
    ~Redefining();

   private:
    Breakpoints& breakpoints_;
  };

 private:
  [[nodiscard]] jvm::Result<void> set(const CodeLocation& location);

  // What the VM keeps of breakpoints in a class, and where some are wanted or still set.
  struct Records {
    std::map<jmethodID, std::vector<jvm::BreakpointRecord>> records;
    CodeLocations wanted;
  };

  // The class that was looked at last, and how often it had changed.
  struct Clean {
    jvm::WeakRef type;
    jint changes = 0;
  };

  [[nodiscard]] std::optional<Records> records_in(jclass type);
  [[nodiscard]] bool take_out(jmethodID method, std::span<const jvm::BreakpointRecord> left);
  [[nodiscard]] bool is_clean(const jvm::Jni& jni, jclass type, jint changes);
  void note_clean(const jvm::Jni& jni, jclass type, jint changes);
  [[nodiscard]] bool take_out_left_records(const jvm::Jni& jni, jclass type, jmethodID method);
  [[nodiscard]] std::optional<std::set<jlocation>> indices_in_use(const jvm::Jni& jni, jclass type,
                                                                  jmethodID method,
                                                                  const CodeLocations& wanted);
  void take_off(const CodeLocation& location);
  void clear(const CodeLocation& location);
  void clear_or_note(const CodeLocation& location, bool is_risky);  // under the lock
  [[nodiscard]] bool is_left_to_probes(const CodeLocation& location);
  [[nodiscard]] std::vector<std::pair<CodeLocation, int>> all_in(jclass type);
  [[nodiscard]] bool has_left(std::span<const std::pair<CodeLocation, int>> removed);
  [[nodiscard]] bool begin_clearing();
  void clear_in_rounds();
  void wait_for_events(const std::vector<threads::OccupiedLocation>& occupied,
                       std::chrono::microseconds moment);

  friend class BreakpointEventScope;
  friend class InvocationScope;

  // Threads in the event of a breakpoint. `absent` ones run an invocation and come back; the entry
  // stays, as coming back must not allocate.
  struct ThreadsInEvent {
    std::size_t present = 0;
    std::size_t absent = 0;
  };

  [[nodiscard]] bool enter_event(const CodeLocation& location);
  void leave_event(const CodeLocation& location);
  void begin_invocation(const CodeLocation& location);
  void end_invocation(const CodeLocation& location);

  Agent& agent_;
  // Of calls into the VM, held only over ClearBreakpoint: on agent threads, which are never
  // suspended.
  RankedMutex<Rank::kBreakpoints> mutex_;
  std::unordered_map<CodeLocation, int, CodeLocationHash> counts_;
  std::unordered_map<CodeLocation, int, CodeLocationHash> probed_;  // how many of those
  CodeLocations to_remove_;
  std::unordered_map<CodeLocation, ThreadsInEvent, CodeLocationHash> in_event_;
  jvm::BreakpointRecords records_;
  std::shared_ptr<const Clean> clean_;
  int redefining_ = 0;
  bool is_clearing_ = false;  // by one agent thread at a time
  Condition clearing_ended_;
  Condition entered_;
};

// Marks the current thread as in the event of a breakpoint during its lifetime.
class BreakpointEventScope {
 public:
  // If the breakpoint was removed, waits until clear_removed() has cleared it or left it set.
  BreakpointEventScope(Breakpoints& breakpoints, const CodeLocation& location)
      : breakpoints_(breakpoints),
        location_(location),
        is_in_use_(breakpoints.enter_event(location)) {}

  BreakpointEventScope(const BreakpointEventScope&) = delete;
  BreakpointEventScope& operator=(const BreakpointEventScope&) = delete;
  BreakpointEventScope(BreakpointEventScope&&) = delete;
  BreakpointEventScope& operator=(BreakpointEventScope&&) = delete;

  ~BreakpointEventScope() { breakpoints_.leave_event(location_); }

  [[nodiscard]] bool is_in_use() const { return is_in_use_; }

 private:
  Breakpoints& breakpoints_;
  const CodeLocation location_;
  const bool is_in_use_;
};

// During its lifetime a thread in the event of a breakpoint runs an invocation, and does not count
// as in the event. A location without a method: the thread is in no such event.
class InvocationScope {
 public:
  InvocationScope(Breakpoints& breakpoints, const CodeLocation& location)
      : breakpoints_(breakpoints), location_(location) {
    breakpoints_.begin_invocation(location_);
  }

  InvocationScope(const InvocationScope&) = delete;
  InvocationScope& operator=(const InvocationScope&) = delete;
  InvocationScope(InvocationScope&&) = delete;
  InvocationScope& operator=(InvocationScope&&) = delete;

  ~InvocationScope() { breakpoints_.end_invocation(location_); }

 private:
  Breakpoints& breakpoints_;
  const CodeLocation location_;
};

}  // namespace jvmdebug::agent::events
