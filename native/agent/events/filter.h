// SPDX-License-Identifier: Apache-2.0
//
// Modifiers of requests as the agent runs them. A filter is made from the wire's modifier on an
// agent thread, which resolves its ids, and asked on event threads, possibly on many at once.
//
// To add one: a case in native/protocol/events.toml, a class here, its make() in filter.cpp.
#pragma once

#include <memory>

#include "agent/events/match.h"
#include "codec/generated/events.h"
#include "codec/result.h"

namespace jvmdebug::agent::events {

class EventRequest;

class Filter {
 public:
  Filter() = default;
  Filter(const Filter&) = delete;
  Filter& operator=(const Filter&) = delete;
  virtual ~Filter() = default;

  [[nodiscard]] virtual bool passes(Match& match) = 0;

  // True for filters on classes, which also say where a step must not stop.
  [[nodiscard]] virtual bool is_on_class() const { return false; }

  // True for a filter that each asking changes: what comes after it cannot be foretold.
  [[nodiscard]] virtual bool counts() const { return false; }
};

// The filter of a modifier for the request, to which it also gives what arming needs to know
// (location, field, thread, step). Errors are those of EventRequest.Set.
[[nodiscard]] Result<std::unique_ptr<Filter>> make_filter(Agent& agent, EventRequest& request,
                                                          const protocol::Modifier& modifier);

}  // namespace jvmdebug::agent::events
