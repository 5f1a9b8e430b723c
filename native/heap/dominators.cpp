// SPDX-License-Identifier: Apache-2.0
#include "heap/dominators.h"

#include <algorithm>
#include <utility>

namespace jvmdebug::heap {
namespace {

void tell(const Progress& progress, std::size_t done, std::size_t all) {
  if (progress && done % kBetweenReports == 0 &&
      !progress(static_cast<double>(done) / static_cast<double>(all))) {
    throw CancelledError();
  }
}

}  // namespace

Dominators::Dominators(const Dump& dump, const Graph& graph, const Progress& progress)
    : dump_(dump), graph_(graph) {
  search(progress);
  find_dominators(progress);
  parents_ = {};
  ancestors_ = {};
  semis_ = {};
  labels_ = {};
  stack_ = {};
  add_sizes();
}

void Dominators::search(const Progress& progress) {
  numbers_.assign(dump_.object_count(), 0);
  order_.push_back(kNone);
  parents_.push_back(0);

  struct Step {
    Object object = kNone;
    std::uint32_t next = 0;
  };

  std::vector<Step> path;
  const auto enter = [&](Object object, Number parent) {
    tell(progress, order_.size(), 2 * dump_.object_count());
    numbers_[object] = static_cast<Number>(order_.size());
    order_.push_back(object);
    parents_.push_back(parent);
    path.push_back({.object = object});
  };
  for (const RootOf& root : dump_.roots()) {
    if (numbers_[root.object] != 0) {
      continue;
    }
    enter(root.object, 0);
    while (!path.empty()) {
      Step& step = path.back();
      const auto targets = graph_.from(step.object);
      if (step.next == targets.size()) {
        path.pop_back();
        continue;
      }
      const Object target = targets[step.next++];
      if (numbers_[target] == 0) {
        enter(target, numbers_[step.object]);
      }
    }
  }
}

// Returns the number with the smallest semidominator on the path from `number` up through linked
// vertices, and compresses the path.
Dominators::Number Dominators::evaluate(Number number, Number last_linked) {
  if (number < last_linked) {
    return number;
  }
  for (Number each = number; ancestors_[each] >= last_linked; each = ancestors_[each]) {
    stack_.push_back(each);
  }
  while (!stack_.empty()) {
    const Number each = stack_.back();
    stack_.pop_back();
    const Number above = ancestors_[each];
    if (semis_[labels_[above]] < semis_[labels_[each]]) {
      labels_[each] = labels_[above];
    }
    ancestors_[each] = ancestors_[above];
  }
  return labels_[number];
}

void Dominators::find_dominators(const Progress& progress) {
  const std::size_t count = order_.size();
  std::vector<bool> is_root(dump_.object_count());
  for (const RootOf& root : dump_.roots()) {
    is_root[root.object] = true;
  }
  ancestors_ = parents_;
  semis_.resize(count);
  labels_.resize(count);
  for (Number number = 0; number < count; ++number) {
    semis_[number] = number;
    labels_[number] = number;
  }
  for (auto number = static_cast<Number>(count - 1); number > 0; --number) {
    tell(progress, 2 * count - number, 2 * count);
    const Object object = order_[number];
    Number semi = is_root[object] ? 0 : parents_[number];
    for (const Object referrer : graph_.to(object)) {
      if (numbers_[referrer] != 0) {
        semi = std::min(semi, semis_[evaluate(numbers_[referrer], number + 1)]);
      }
    }
    semis_[number] = semi;
  }
  dominators_ = std::move(parents_);
  for (Number number = 1; number < count; ++number) {
    Number dominator = dominators_[number];
    while (dominator > semis_[number]) {
      dominator = dominators_[dominator];
    }
    dominators_[number] = dominator;
  }
}

void Dominators::add_sizes() {
  retained_.assign(order_.size(), 0);
  for (auto number = static_cast<Number>(order_.size() - 1); number > 0; --number) {
    retained_[number] += dump_.shallow_size(order_[number]);
    retained_[dominators_[number]] += retained_[number];
  }
}

Object Dominators::dominator_of(Object object) const {
  const Number number = numbers_[object];
  return number == 0 ? kNone : order_[dominators_[number]];
}

std::uint64_t Dominators::retained_size(Object object) const {
  const Number number = numbers_[object];
  return number == 0 ? dump_.shallow_size(object) : retained_[number];
}

std::vector<Object> Dominators::dominated_by(Object object, std::size_t most) const {
  std::vector<Object> found;
  const Number wanted = object == kNone ? 0 : numbers_[object];
  if (object != kNone && wanted == 0) {
    return found;
  }
  const auto larger = [this](Object left, Object right) {
    return std::pair(retained_[numbers_[right]], left) <
           std::pair(retained_[numbers_[left]], right);
  };
  for (Number number = wanted + 1; number < order_.size(); ++number) {
    if (dominators_[number] != wanted) {
      continue;
    }
    found.push_back(order_[number]);
    std::ranges::push_heap(found, larger);  // the smallest is in front
    if (found.size() > most) {
      std::ranges::pop_heap(found, larger);
      found.pop_back();
    }
  }
  std::ranges::sort_heap(found, larger);
  return found;
}

std::uint64_t Dominators::retained_by(const std::vector<std::uint32_t>& classes) const {
  std::vector<bool> wanted(dump_.classes().size());
  for (const std::uint32_t type : classes) {
    wanted.at(type) = true;
  }
  std::vector<bool> inside(order_.size());  // an instance, or dominated by one
  std::uint64_t size = 0;
  for (Number number = 1; number < order_.size(); ++number) {
    const bool above = inside[dominators_[number]];
    const bool is_instance = wanted[dump_.class_index(order_[number])];
    size += is_instance && !above ? retained_[number] : 0;
    inside[number] = above || is_instance;
  }
  return size;
}

// Sums retained sizes by class. An object adds its retained size to its class unless another object
// of that class dominates it. Numbers ascend along the tree, so one walk over it tells that.
std::vector<std::uint64_t> Dominators::retained_by_classes() const {
  const std::size_t count = order_.size();
  // The children of each object, as linked lists of siblings.
  std::vector<Number> first(count, 0);
  std::vector<Number> sibling(count, 0);
  for (auto number = static_cast<Number>(count - 1); number > 0; --number) {
    sibling[number] = first[dominators_[number]];
    first[dominators_[number]] = number;
  }
  std::vector<std::uint64_t> sizes(dump_.classes().size());
  std::vector<std::uint32_t> open(sizes.size());  // for each class, how many are above
  std::vector<Number> path;
  for (Number number = first[0]; number != 0;) {
    const std::uint32_t type = dump_.class_index(order_[number]);
    sizes[type] += open[type] == 0 ? retained_[number] : 0;
    ++open[type];
    path.push_back(number);
    number = first[number];
    while (number == 0 && !path.empty()) {
      --open[dump_.class_index(order_[path.back()])];
      number = sibling[path.back()];
      path.pop_back();
    }
  }
  return sizes;
}

}  // namespace jvmdebug::heap
