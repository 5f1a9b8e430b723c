// SPDX-License-Identifier: Apache-2.0
//
// Events of a thread that match requests and are not sent yet. Several that happen at one location
// are sent together, so a thread keeps them on its way to the last one. The Composer makes them;
// the Sender sends them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "codec/generated/constants.h"

namespace jvmdebug::agent::events {
struct RetainedOccurrence;
}  // namespace jvmdebug::agent::events

namespace jvmdebug::agent::threads {

// The number of a debugger, in the order in which they connected.
using DebuggerNumber = std::uint64_t;

// What the debugger wants to be sent of the stack with a stop; nothing if `frames` is 0.
struct ShownStack {
  std::int32_t frames = 0;
  std::int32_t bytes = 0;
};

// One event of a composite.
struct PendingEvent {
  std::shared_ptr<const events::RetainedOccurrence> what;
  protocol::EventKind kind{};  // the request's: tells the two kinds of method exit apart
  std::int32_t request_id = 0;
  ShownStack shown = {};
};

struct EventSet {
  protocol::SuspendPolicy policy = protocol::SuspendPolicy::kNone;
  std::vector<PendingEvent> events;
  DebuggerNumber debugger = 0;  // the debugger that requested them; no other one gets them

  // What to send of the stack before the set.
  [[nodiscard]] ShownStack shown() const {
    ShownStack most;
    for (const PendingEvent& event : events) {
      most.frames = std::max(most.frames, event.shown.frames);
      most.bytes = std::max(most.bytes, event.shown.bytes);
    }
    return most;
  }

  // Whether the set suspends one thread or all.
  [[nodiscard]] bool stops() const { return policy != protocol::SuspendPolicy::kNone; }

  void add(PendingEvent event, protocol::SuspendPolicy wanted, DebuggerNumber asker) {
    if (asker != debugger) {  // the entries of the set were for an earlier debugger
      events.clear();
      policy = protocol::SuspendPolicy::kNone;
      debugger = asker;
    }
    events.push_back(std::move(event));
    if (wanted > policy) {
      policy = wanted;
    }
  }
};

}  // namespace jvmdebug::agent::threads
