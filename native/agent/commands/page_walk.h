// SPDX-License-Identifier: Apache-2.0
//
// Finds the entries of one page of a collection, for Agent.Page: counts through the slots of an
// array, chains of nodes or a tree, and reads the parts of the entries on the page. Knows no
// collection classes: the request tells which fields to follow.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "agent/agent.h"
#include "agent/ids/field_ids.h"
#include "agent/jvm/jni.h"
#include "codec/generated/agent.h"
#include "codec/result.h"

namespace jvmdebug::agent::commands {

class PageWalk {
 public:
  using Request = protocol::agent::PageRequest;
  using Entry = protocol::agent::PageReply::Entry;

  // Agent and request must outlive the walk.
  PageWalk(Agent& agent, const Request& request);

  // Returns the entries. INVALID_FIELDID if the objects are not as the request expects or form a
  // circle, ILLEGAL_ARGUMENT if there are too many on the way.
  Result<std::vector<Entry>> run();

  // The number of entries that were skipped before them.
  [[nodiscard]] std::int32_t skipped() const { return skipped_; }

 private:
  // The fields of the nodes, found in the class of the first one; its subclasses have the same.
  struct Node {
    jvm::LocalRef<jclass> type;
    std::optional<ids::Field> before;
    std::optional<ids::Field> after;
    std::optional<ids::Field> holds;
    std::vector<ids::Field> parts;
  };

  // Whether a node has the fields of node_.
  enum class Known : bool { kNo, kYes };

  [[nodiscard]] Result<ids::Field> field(jclass type, std::string_view name) const;
  [[nodiscard]] Result<jvm::LocalRef<jclass>> first_class(jobject object) const;
  [[nodiscard]] Result<jvm::LocalRef<jobject>> follow_path() const;
  Result<void> slots(jobjectArray array);
  Result<void> slot(jobjectArray array, jsize at);
  Result<void> enter_chain(jvm::LocalRef<jobject> head);
  Result<void> nodes(jvm::LocalRef<jobject> root, Known is_root_known);
  Result<void> learn(jobject node);
  // Counts a step; ILLEGAL_ARGUMENT if it is one too many.
  Result<void> step();
  void visit(jobject node);
  [[nodiscard]] bool is_counted(jobject node) const;
  [[nodiscard]] jvm::LocalRef<jobject> linked(jobject node,
                                              const std::optional<ids::Field>& link) const;

  [[nodiscard]] bool is_done() const {
    return skipped_ >= request_.skip && entries_.size() >= static_cast<std::size_t>(request_.count);
  }

  Agent& agent_;
  jvm::Jni jni_;
  const Request& request_;
  Node node_;
  jvm::LocalRef<jclass>
      plain_head_;  // the class of heads that are nodes themselves, with the fields of node_
  std::int32_t skipped_ = 0;
  std::int64_t steps_ = 0;  // slots and nodes so far
  std::vector<Entry> entries_;
};

}  // namespace jvmdebug::agent::commands
