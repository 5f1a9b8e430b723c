// SPDX-License-Identifier: Apache-2.0
//
// The dominator tree: for each object the one without which it would be garbage, and how many bytes
// would be freed with an object. Computed by Semi-NCA over the objects that roots reach; takes 4
// bytes for each object and step while it is made, 24 for each object afterwards. Made once for a
// Graph.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "heap/dump.h"
#include "heap/graph.h"

namespace jvmdebug::heap {

class Dominators {
 public:
  Dominators(const Dump& dump, const Graph& graph, const Progress& progress);

  // Returns the dominator; kNone if only roots dominate the object, or if it is not reachable.
  [[nodiscard]] Object dominator_of(Object object) const;

  [[nodiscard]] bool is_reachable(Object object) const { return numbers_[object] != 0; }

  // Returns the retained size; the shallow size for an object that is not reachable.
  [[nodiscard]] std::uint64_t retained_size(Object object) const;

  // Returns what the object dominates directly, or with kNone what only roots dominate. Largest
  // first, at most `most`.
  [[nodiscard]] std::vector<Object> dominated_by(Object object, std::size_t most) const;

  // Returns the bytes that would be freed with all instances of the classes, which are given by
  // number.
  [[nodiscard]] std::uint64_t retained_by(const std::vector<std::uint32_t>& classes) const;
  // The same for each class separately, by its number.
  [[nodiscard]] std::vector<std::uint64_t> retained_by_classes() const;

  [[nodiscard]] std::size_t reachable_count() const { return order_.size() - 1; }

  [[nodiscard]] std::uint64_t reachable_size() const { return retained_[0]; }

 private:
  using Number = std::uint32_t;  // in the order of the depth-first search; 0 stands for all roots

  void search(const Progress& progress);
  void find_dominators(const Progress& progress);
  void add_sizes();
  [[nodiscard]] Number evaluate(Number number, Number last_linked);

  const Dump& dump_;
  const Graph& graph_;
  std::vector<Number> numbers_;          // by object; 0 if it is not reachable
  std::vector<Object> order_;            // objects by number
  std::vector<Number> dominators_;       // by number
  std::vector<std::uint64_t> retained_;  // by number
  // Used only while the tree is made.
  std::vector<Number> parents_;
  std::vector<Number> ancestors_;
  std::vector<Number> semis_;
  std::vector<Number> labels_;
  std::vector<Number> stack_;
};

}  // namespace jvmdebug::heap
