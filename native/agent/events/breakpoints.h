// SPDX-License-Identifier: Apache-2.0
//
// The VM's breakpoints, counted: a place may be wanted by several requests of the debugger's and by
// steps of several threads (ReturnBreakpoints), and the VM has one breakpoint there. Wanting one is
// for any thread; giving one up happens on agent threads, because a thread of the debuggee that is
// suspended in the middle of ClearBreakpoint would take away, when it goes on, what somebody else
// has wanted meanwhile.
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
#include <unordered_set>
#include <utility>
#include <vector>

#include "agent/events/code_place.h"
#include "agent/jvm/env.h"
#include "agent/locks/ranked_mutex.h"

namespace jvmdebug::agent {
class Agent;
}

namespace jvmdebug::agent::threads {
struct OccupiedPlace;
}

namespace jvmdebug::agent::events {

class Breakpoints {
 public:
  explicit Breakpoints(Agent& agent) : agent_(agent) {}

  // Any thread. An error leaves nothing to give up.
  [[nodiscard]] jvm::Result<void> want(const CodePlace& place);
  // Agent threads; settle() follows.
  void unwant(const CodePlace& place);
  void settle();
  // Any thread; soon afterwards.
  void unwant_soon(std::vector<CodePlace> places);
  // How many threads are in the event of that breakpoint; see Arrival.
  [[nodiscard]] std::size_t present_at(const CodePlace& place);

  // Agent threads, around a redefinition of the types, in which the VM drops its breakpoints: takes
  // those away that it must not drop while a thread is on its way to them. When the redefinition
  // has failed, put_back().
  [[nodiscard]] std::vector<std::pair<CodePlace, int>> lift(
      std::span<const jvm::LocalRef<jclass>> types);
  void put_back(const std::vector<std::pair<CodePlace, int>>& lifted);
  // Agent threads: some thread runs on, and perhaps away from a breakpoint that could not go.
  void resumed();

 private:
  void clear(const CodePlace& place);
  [[nodiscard]] bool begin_to_settle();
  void settle_in_rounds();
  void wait_for_arrivals(const std::vector<threads::OccupiedPlace>& occupied,
                         std::chrono::microseconds moment);

  friend class Arrival;
  friend class Absence;

  // Threads in the event of a breakpoint. Who is absent comes back, which must not need memory.
  struct Visitors {
    std::size_t present = 0;
    std::size_t absent = 0;
  };

  [[nodiscard]] bool arrive(const CodePlace& place);
  void leave(const CodePlace& place);
  void go_away(const CodePlace& place);
  void come_back(const CodePlace& place);

  Agent& agent_;
  // Held over ClearBreakpoint, by agent threads, which are never suspended; over nothing else.
  RankedMutex<Rank::kBreakpoints> mutex_;
  std::unordered_map<CodePlace, int, CodePlaceHash> counts_;
  std::unordered_set<CodePlace, CodePlaceHash> leaving_;
  std::unordered_map<CodePlace, Visitors, CodePlaceHash> visitors_;
  bool settling_ = false;  // by one agent thread at a time
  Condition settled_;
  Condition arrived_;
};

// A thread is in the event of a breakpoint for as long as this lives, on that thread.
class Arrival {
 public:
  // Returns once a breakpoint that nobody wants has been removed or kept.
  Arrival(Breakpoints& breakpoints, const CodePlace& place)
      : breakpoints_(breakpoints), place_(place), wanted_(breakpoints.arrive(place)) {}

  Arrival(const Arrival&) = delete;
  Arrival& operator=(const Arrival&) = delete;
  Arrival(Arrival&&) = delete;
  Arrival& operator=(Arrival&&) = delete;

  ~Arrival() { breakpoints_.leave(place_); }

  [[nodiscard]] bool is_wanted() const { return wanted_; }

 private:
  Breakpoints& breakpoints_;
  const CodePlace place_;
  const bool wanted_;
};

// While a thread in the event of a breakpoint runs a method for the debugger it does not count
// there. A place without a method: the thread is in no such event.
class Absence {
 public:
  Absence(Breakpoints& breakpoints, const CodePlace& place)
      : breakpoints_(breakpoints), place_(place) {
    breakpoints_.go_away(place_);
  }

  Absence(const Absence&) = delete;
  Absence& operator=(const Absence&) = delete;
  Absence(Absence&&) = delete;
  Absence& operator=(Absence&&) = delete;

  ~Absence() { breakpoints_.come_back(place_); }

 private:
  Breakpoints& breakpoints_;
  const CodePlace place_;
};

}  // namespace jvmdebug::agent::events
