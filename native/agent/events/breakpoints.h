// SPDX-License-Identifier: Apache-2.0
//
// The VM's breakpoints, counted: a location may be wanted by several requests of the debugger's and
// by steps of several threads (ReturnBreakpoints), and the VM has one breakpoint there. Wanting one
// is for any thread; giving one up happens on agent threads, because a thread of the debuggee that
// is suspended in the middle of ClearBreakpoint would take away, when it goes on, what somebody
// else has wanted meanwhile.
//
// THE VM'S TRAP. When HotSpot finds the handler of an exception it looks up at once how to go on
// with the handler's first instruction, and goes on a moment later. If that instruction was a
// breakpoint, and is none any more when the thread goes on, the VM ends ("no original bytecode
// found"). So a breakpoint where only exceptions lead stays, unwanted, until settle() finds no
// thread there while all are held, but for those in the event of that very breakpoint: when the VM
// sends it, it has read the instruction. Whoever else stands there is let run into that event and
// kept.
#pragma once

#include <chrono>
#include <cstddef>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "agent/events/code_location.h"
#include "agent/jvm/env.h"
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
  explicit Breakpoints(Agent& agent) : agent_(agent) {}

  // Any thread. An error leaves nothing to give up.
  [[nodiscard]] jvm::Result<void> want(const CodeLocation& location);
  // Agent threads; settle() follows.
  void unwant(const CodeLocation& location);
  void settle();
  // Any thread; soon afterwards.
  void unwant_soon(std::vector<CodeLocation> locations);
  // How many threads are in the event of that breakpoint; see BreakpointEventScope.
  [[nodiscard]] std::size_t present_at(const CodeLocation& location);

  // Agent threads, around a redefinition of the types, in which the VM drops its breakpoints: takes
  // those away that it must not drop while a thread is on its way to them. When the redefinition
  // has failed, restore().
  [[nodiscard]] std::vector<std::pair<CodeLocation, int>> remove_before_redefinition(
      std::span<const jvm::LocalRef<jclass>> types);
  void restore(const std::vector<std::pair<CodeLocation, int>>& removed);
  // Agent threads: some thread runs on, and perhaps away from a breakpoint that could not go.
  void resumed();

 private:
  void clear(const CodeLocation& location);
  [[nodiscard]] bool begin_to_settle();
  void settle_in_rounds();
  void wait_for_events(const std::vector<threads::OccupiedLocation>& occupied,
                       std::chrono::microseconds moment);

  friend class BreakpointEventScope;
  friend class InvocationScope;

  // Threads in the event of a breakpoint. Who is absent comes back, which must not need memory.
  struct ThreadsInEvent {
    std::size_t present = 0;
    std::size_t absent = 0;
  };

  [[nodiscard]] bool enter_event(const CodeLocation& location);
  void leave_event(const CodeLocation& location);
  void begin_invocation(const CodeLocation& location);
  void end_invocation(const CodeLocation& location);

  Agent& agent_;
  // Held over ClearBreakpoint, by agent threads, which are never suspended; over nothing else.
  RankedMutex<Rank::kBreakpoints> mutex_;
  std::unordered_map<CodeLocation, int, CodeLocationHash> counts_;
  CodeLocations to_remove_;
  std::unordered_map<CodeLocation, ThreadsInEvent, CodeLocationHash> in_event_;
  bool settling_ = false;  // by one agent thread at a time
  Condition settled_;
  Condition entered_;
};

// A thread is in the event of a breakpoint for as long as this lives, on that thread.
class BreakpointEventScope {
 public:
  // Returns once a breakpoint that nobody wants has been removed or kept.
  BreakpointEventScope(Breakpoints& breakpoints, const CodeLocation& location)
      : breakpoints_(breakpoints),
        location_(location),
        wanted_(breakpoints.enter_event(location)) {}

  BreakpointEventScope(const BreakpointEventScope&) = delete;
  BreakpointEventScope& operator=(const BreakpointEventScope&) = delete;
  BreakpointEventScope(BreakpointEventScope&&) = delete;
  BreakpointEventScope& operator=(BreakpointEventScope&&) = delete;

  ~BreakpointEventScope() { breakpoints_.leave_event(location_); }

  [[nodiscard]] bool is_wanted() const { return wanted_; }

 private:
  Breakpoints& breakpoints_;
  const CodeLocation location_;
  const bool wanted_;
};

// While a thread in the event of a breakpoint runs a method for the debugger it does not count
// there. A location without a method: the thread is in no such event.
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
