// SPDX-License-Identifier: Apache-2.0
//
// The modifiers of event requests. A filter is made from a modifier of the wire on an agent thread,
// which resolves its ids, and is evaluated on event threads, possibly on several at once.
//
// To add one: a case in native/protocol/events.toml, a class and its make() in filter.cpp.
#pragma once

#include <memory>

#include "agent/events/match.h"
#include "agent/ids/field_ids.h"
#include "agent/ids/method_ids.h"
#include "agent/ids/object_table.h"
#include "codec/generated/events.h"
#include "codec/result.h"

namespace jvmdebug::agent::threads {
class Stepper;
class Suspension;
}  // namespace jvmdebug::agent::threads

namespace jvmdebug::agent::events {

class Checks;
class EventRequest;

// What making and evaluating filters needs.
struct FilterUses {
  const jvm::Env& env;
  ids::ObjectTable& objects;
  ids::MethodIds& method_ids;
  ids::FieldIds& field_ids;
  threads::ThreadRegistry& registry;
  threads::Suspension& suspension;
  threads::Stepper& stepper;
  Checks& checks;
};

class Filter {
 public:
  Filter() = default;
  Filter(const Filter&) = delete;
  Filter& operator=(const Filter&) = delete;
  virtual ~Filter() = default;

  [[nodiscard]] virtual bool passes(Match& match) = 0;

  // True for filters on classes; steps do not stop in classes that they exclude.
  [[nodiscard]] virtual bool is_on_class() const { return false; }

  // True for a filter with state that each evaluation changes, such as a count.
  [[nodiscard]] virtual bool counts() const { return false; }
};

// Makes the filter of a modifier, and sets in the request what arming it needs (location, field,
// thread, step). Errors are those of EventRequest.Set.
[[nodiscard]] Result<std::unique_ptr<Filter>> make_filter(const FilterUses& uses,
                                                          EventRequest& request,
                                                          const protocol::Modifier& modifier);

}  // namespace jvmdebug::agent::events
