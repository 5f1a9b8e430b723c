// SPDX-License-Identifier: Apache-2.0
//
// Prefetches what a debugger requests to show objects: their types, the texts of strings, fields
// and elements, and the objects that those refer to, two deep. Bounded. Used by Agent.Stack and
// Agent.Page, on the thread that runs commands.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "agent/agent.h"
#include "agent/commands/prefetch.h"
#include "codec/values.h"

namespace jvmdebug::agent::commands {

class ObjectPrefetch {
 public:
  // The limit of prefetched replies.
  struct Limits {
    std::size_t bytes = 0;
    std::size_t objects = 0;
  };

  // Makes a prefetch; without contents it sends only what stays true while threads run.
  ObjectPrefetch(Agent& agent, Prefetch& replies, Limits limits, bool with_contents)
      : agent_(agent), replies_(replies), limits_(limits), with_contents_(with_contents) {}

  // Adds an object that is shown, unless it was added already; ignores null and primitives. An
  // object that is only expanded is one level above.
  void found(const protocol::TaggedObject& object, int depth = 0);
  void found(const protocol::Value& value, int depth = 0);

  // Adds the replies about the objects that were found, and about those that they refer to.
  void describe();

  void type(protocol::ReferenceTypeId id);

  static constexpr int kOpened = -1;
  static constexpr int kDeepest = 2;  // of these, what they refer to is not added

 private:
  struct Found {
    protocol::TaggedObject object;
    int depth = 0;
  };

  void describe(const Found& next);
  void string(protocol::ObjectId id);
  void array(protocol::ArrayId id, int depth);
  void fields(const Found& next, protocol::ReferenceTypeId type_id);
  void interface(protocol::ReferenceTypeId id);
  [[nodiscard]] const std::vector<protocol::FieldId>& members(protocol::ReferenceTypeId type_id);
  void own_text(protocol::ReferenceTypeId type_id);
  bool own_text_of(protocol::ReferenceTypeId id, jclass type);

  Agent& agent_;
  Prefetch& replies_;
  Limits limits_;
  bool with_contents_;
  std::unordered_set<std::uint64_t> seen_;
  std::unordered_set<std::uint64_t> interfaces_;
  std::unordered_map<std::uint64_t, std::vector<protocol::FieldId>> members_;
  std::deque<Found> queue_;
};

}  // namespace jvmdebug::agent::commands
