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
// makes the program compute wrong values there: see code/older_versions.h. So add() refuses a
// breakpoint that would do so.
//
// Another one: HotSpot keeps the records of some breakpoints that are gone, with which its
// compilers crash when another one is set: see left_records.h. In a debugger that knows probes
// add() refuses such a breakpoint too, except for a request that waits for its probe
// (add_for_probe()).
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "agent/events/code_location.h"
#include "agent/events/left_records.h"
#include "agent/jvm/env.h"
#include "agent/jvm/jni.h"
#include "agent/jvm/vm_life.h"
#include "agent/locks/ranked_mutex.h"
#include "agent/threads/breakpoint_setter.h"

namespace jvmdebug::agent::threads {
struct OccupiedLocation;
class Reporter;
class Suspension;
}  // namespace jvmdebug::agent::threads

namespace jvmdebug::agent::events {

class Checks;
class RequestTable;

class Breakpoints final : public threads::BreakpointSetter {
 public:
  struct Uses {
    const jvm::Env& env;
    threads::Suspension& suspension;
    threads::Reporter& reporter;
    RequestTable& requests;
    Checks& checks;
    const jvm::VmLife& life;
    bool vm_reads;                     // the option of that name
    std::function<void()> when_first;  // called when one is added and there was none, any thread
  };

  explicit Breakpoints(const Uses& uses);

  [[nodiscard]] bool enable_events() override;
  // Adds a breakpoint. Any thread. After an error there is nothing to remove().
  // JVMTI_ERROR_NOT_AVAILABLE if it would_harm() or would_crash().
  [[nodiscard]] jvm::Result<void> add(const CodeLocation& location) override;
  // Adds one that the VM does not set: a probe is to report it. Any thread.
  void add_for_probe(const CodeLocation& location);
  // Removes a breakpoint. Agent threads; the caller calls clear_removed() afterwards.
  void remove(const CodeLocation& location) override;
  void clear_removed() override;
  // Runs remove() and clear_removed() soon, on the sender's thread. Any thread.
  void remove_later(std::vector<CodeLocation> locations) override;
  // Whether a compiler of the VM may crash while a breakpoint is set there, and the debugger could
  // put a probe there. See left_records.h. Any thread.
  [[nodiscard]] bool would_crash(const CodeLocation& location);
  // The same after a change of the method, if breakpoints of the VM stay in it. Those in `entering`
  // do not: probes replace them. May clear those of the method for a moment, so no frame should run
  // it. Agent threads.
  [[nodiscard]] bool would_crash_after_change(jclass type, jmethodID method,
                                              std::span<const CodeLocation> entering);
  // Whether a breakpoint that is wanted is not set, as it would do harm. Any thread.
  [[nodiscard]] bool is_unset(const CodeLocation& location);
  // Whether a breakpoint there makes the program run wrong code, in an older version of the method
  // or, if an older one may live, in the newest. See code/older_versions.h. Any thread.
  [[nodiscard]] bool would_harm(const CodeLocation& location);
  // The same, and true in case of doubt: the agent then sets no breakpoints of its own. Any thread.
  [[nodiscard]] bool may_harm(const CodeLocation& location) override;
  // The methods of the class that have breakpoints of the VM at accesses to fields. Agent threads.
  [[nodiscard]] std::set<jmethodID> field_users_in(jclass type);
  // Whether a breakpoint is set that may harm once the class has changed. Each location in
  // `entering` stands for one breakpoint that a probe replaces in the same change; those do not
  // count. Agent threads.
  [[nodiscard]] bool would_harm_after_change(jclass type, std::span<const CodeLocation> entering);
  // The number of threads in the event of that breakpoint; see BreakpointEventScope.
  [[nodiscard]] std::size_t threads_in_event(const CodeLocation& location);

  // The indices in a method at which breakpoints are wanted. Any thread.
  [[nodiscard]] std::vector<jlocation> indices_in(jmethodID method);

  [[nodiscard]] bool is_empty() {
    const std::scoped_lock lock(mutex_);
    return counts_.empty();
  }

  // Whether a breakpoint is wanted in a method of the class. Any thread.
  [[nodiscard]] bool is_any_in(jclass type) { return !all_in(type).empty(); }

  // The methods in which breakpoints are wanted, each once, at a moment that has a number.
  struct Methods {
    std::uint64_t moment = 0;  // never 0 in what is returned
    std::vector<jmethodID> all;
  };

  // Nothing if no breakpoint was added or removed since that moment. Any thread.
  [[nodiscard]] std::optional<Methods> methods_since(std::uint64_t moment);

  // Safely removes the breakpoints that only exceptions reach, before a redefinition of the types,
  // which removes the VM's breakpoints in them. Returns them with their counts for restore(), which
  // is called if the redefinition fails. Agent threads.
  [[nodiscard]] std::vector<std::pair<CodeLocation, int>> remove_before_redefinition(
      std::span<const jvm::LocalRef<jclass>> types);
  void restore(const std::vector<std::pair<CodeLocation, int>>& removed);
  // Called when a probe reports the location for one of its requests, except in old frames;
  // take_from_probe() when it no longer does. Agent threads.
  void leave_to_probes(std::span<const CodeLocation> locations);
  void take_from_probe(const CodeLocation& location);
  // The same as take_from_probe(), after a redefinition: the new code may have no instruction
  // there. Agent threads.
  void lost_probe(const CodeLocation& location);
  // Sets breakpoints again after a retransformation of the type that has removed the VM's
  // breakpoints but not moved their instructions. Agent threads.
  void set_again(jclass type);
  // Tries again to clear breakpoints that could not be cleared; called when threads were resumed.
  // Agent threads.
  void resumed() override;

  // Marks the time in which classes may be redefined and the VM may clear breakpoints by itself.
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
  void set_unless_harmful(const CodeLocation& location);
  [[nodiscard]] std::optional<LeftRecords::Records> records_in(jclass type);
  [[nodiscard]] LeftRecords::Found left_in(jmethodID method);
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

  // Counts of threads in the event of a breakpoint. `absent` threads run an invocation and come
  // back; the entry stays, because coming back must not allocate.
  struct ThreadsInEvent {
    std::size_t present = 0;
    std::size_t absent = 0;
  };

  [[nodiscard]] bool enter_event(const CodeLocation& location);
  void leave_event(const CodeLocation& location);
  void begin_invocation(const CodeLocation& location);
  void end_invocation(const CodeLocation& location);

  const Uses uses_;
  // The only call into the VM over which it is held is ClearBreakpoint, on agent threads, which are
  // never suspended.
  RankedMutex<Rank::kBreakpoints> mutex_;
  std::unordered_map<CodeLocation, int, CodeLocationHash> counts_;
  std::unordered_map<CodeLocation, int, CodeLocationHash> probed_;  // the number of those requests
  CodeLocations unset_;                                             // those that would do harm
  CodeLocations to_remove_;
  std::unordered_map<CodeLocation, ThreadsInEvent, CodeLocationHash> in_event_;
  LeftRecords left_records_;
  std::atomic<std::uint64_t> moment_ = 1;
  int redefining_ = 0;
  bool is_clearing_ = false;  // by one agent thread at a time
  Condition clearing_ended_;
  Condition entered_;
};

// Marks the current thread as in the event of a breakpoint during its lifetime.
class BreakpointEventScope {
 public:
  // Enters the event. If the breakpoint was removed, waits until clear_removed() has cleared it or
  // left it set.
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

// Marks that a thread in the event of a breakpoint runs an invocation, and so does not count as in
// the event. If the location has no method, the thread is in no such event.
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
