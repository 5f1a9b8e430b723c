// SPDX-License-Identifier: Apache-2.0
//
// One event request of the debugger: kind, policy, filters, and what must be armed in the VM for
// it. Made by RequestTable; afterwards only the counter of a count filter and `active` change.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "agent/atomic_shared.h"
#include "agent/events/code_location.h"
#include "agent/events/filter.h"
#include "agent/events/located_type.h"
#include "agent/threads/pending_events.h"
#include "agent/threads/step.h"
#include "agent/threads/tracked_thread.h"
#include "codec/generated/constants.h"

namespace jvmdebug::agent::events {

struct WatchedField {
  std::shared_ptr<jvm::GlobalRef<jclass>> type;
  jfieldID field = nullptr;

  [[nodiscard]] jclass declaring() const { return type->get(); }
};

// The filter of a request for stores into an array.
struct WatchedElements {
  jvm::GlobalRef<jobject> array;
  jint index = -1;  // -1: all
  char type = 'I';  // the type of an element, L for any reference

  [[nodiscard]] bool has(jint element) const { return index < 0 || index == element; }
};

// The filter of a request for exceptions.
struct ExceptionKinds {
  std::shared_ptr<jvm::GlobalRef<jclass>> type;  // null: every exception
  bool caught = true;
  bool uncaught = true;
};

class NearFrame;

// A frame of a suspended thread, counted from the bottom of the stack, and its location.
struct StandingFrame {
  jmethodID method = nullptr;
  jint count = 0;
  jlocation index = -1;
};

class EventRequest {
 public:
  EventRequest(std::int32_t request_id, protocol::EventKind event_kind,
               protocol::SuspendPolicy suspend_policy, DebuggerNumber asker)
      : id(request_id), kind(event_kind), policy(suspend_policy), debugger(asker) {}

  const std::int32_t id;
  const protocol::EventKind kind;
  const protocol::SuspendPolicy policy;
  const DebuggerNumber debugger;

  // Set while the request is made.
  std::vector<std::unique_ptr<Filter>> filters;
  CodeLocation location;                           // of a breakpoint; method null: none
  LocatedType location_type;                       // keeps the method alive
  WatchedField field;                              // of a watch; type null: none
  std::shared_ptr<threads::TrackedThread> thread;  // events of this one only
  std::shared_ptr<threads::Step> step;
  ExceptionKinds thrown;
  // The watched elements; null if this is not such a request, or if it has ended and keeps no array
  // alive.
  AtomicShared<const WatchedElements> elements;
  bool by_probe = false;  // the modifier ByProbe: of a breakpoint that the VM does not set
  // The first letter of the field's signature if writes of a field are requested; else 0.
  std::atomic<char> written_type = 0;
  std::shared_ptr<NearFrame> near_frame;  // if it is asked first; else null
  jmethodID exits_of = nullptr;           // the method of the frame that NearFrame names
  std::optional<StandingFrame> calls_of;  // that frame, if one above it counts as well
  bool names_classes = false;             // only events in some classes
  threads::ShownStack shown;              // what is sent of the stack before its stops
  bool armed = false;

  // False as soon as the request is cleared or its count has run out; then nothing more is
  // reported.
  std::atomic<bool> active = true;
  // The number of the probe that reports its hits, in code that calls the probe; 0 if there is
  // none.
  std::atomic<std::int32_t> probe = 0;
  // The count has run out; an agent thread has to remove the request.
  std::atomic<bool> spent = false;

  // Applies all filters in order. A count filter counts.
  [[nodiscard]] bool matches(Match& match) const;
  // Applies the filters on classes only, without side effects.
  [[nodiscard]] bool matches_type(Match& match) const;

  // Whether a breakpoint there can hit this request. A check reports its own hits, but older code
  // has no check, nor has any code before a deferred probe is installed.
  [[nodiscard]] bool is_at(const Occurrence& breakpoint) const {
    const std::int32_t number = probe;
    const auto& there = breakpoint.probes_there;
    return number == 0 || std::ranges::find(breakpoint.probed, id) != breakpoint.probed.end() ||
           std::ranges::find(there, static_cast<std::uint16_t>(number)) == there.end();
  }
};

}  // namespace jvmdebug::agent::events
