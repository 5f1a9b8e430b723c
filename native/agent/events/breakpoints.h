// SPDX-License-Identifier: Apache-2.0
//
// The VM's breakpoints, counted: a place may be wanted by several requests of the debugger's and by
// steps of several threads (ReturnBreakpoints), and the VM has one breakpoint there. Wanting one is
// for any thread; giving one up happens on agent threads, because a thread of the debuggee that is
// suspended in the middle of ClearBreakpoint would take away, when it goes on, what somebody else
// has wanted meanwhile.
#pragma once

#include <mutex>
#include <unordered_map>
#include <vector>

#include "agent/events/event_request.h"
#include "agent/jvm/env.h"

namespace jvmdebug::agent {
class Agent;
}

namespace jvmdebug::agent::events {

struct CodePlaceHash {
  std::size_t operator()(const CodePlace& place) const noexcept {
    return std::hash<const void*>{}(place.method) ^
           (std::hash<jlocation>{}(place.index) * std::size_t{0x9E3779B97F4A7C15});
  }
};

class Breakpoints {
 public:
  explicit Breakpoints(Agent& agent) : agent_(agent) {}

  // Any thread. An error leaves nothing to give up.
  [[nodiscard]] jvm::Result<void> want(const CodePlace& place);
  // Agent threads.
  void unwant(const CodePlace& place);
  // Any thread; soon afterwards.
  void unwant_soon(std::vector<CodePlace> places);

 private:
  Agent& agent_;
  // Held over ClearBreakpoint, by agent threads, which are never suspended; over nothing else.
  std::mutex mutex_;
  std::unordered_map<CodePlace, int, CodePlaceHash> counts_;
};

}  // namespace jvmdebug::agent::events
