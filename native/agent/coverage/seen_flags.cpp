// SPDX-License-Identifier: Apache-2.0
#include "agent/coverage/seen_flags.h"

namespace jvmdebug::agent::coverage {

SeenFlags::SeenFlags(const Classes& classes, const ReadBlock& read) {
  for (const auto& each : classes) {
    const auto [at, is_first] = by_name_.emplace(each->name, each);
    if (!is_first) {
      at->second = nullptr;
    }
    const std::size_t block = each->range.block;
    if (!blocks_.contains(block)) {
      blocks_.emplace(block, read(block));
    }
  }
}

std::shared_ptr<const CoveredClass> SeenFlags::only(std::string_view name) const {
  const auto found = by_name_.find(name);
  return found == by_name_.end() ? nullptr : found->second;
}

std::vector<bool> SeenFlags::of(const CoveredClass& covered) const {
  std::vector<bool> set(covered.range.count);
  const auto block = blocks_.find(covered.range.block);
  if (block != blocks_.end() && block->second.size() >= covered.range.first + set.size()) {
    for (std::size_t flag = 0; flag < set.size(); ++flag) {
      set[flag] = block->second[covered.range.first + flag] != 0;
    }
  }
  return set;
}

bool SeenFlags::has_other(const CoveredClass& covered, const std::vector<bool>& gone) const {
  const std::vector<bool> set = of(covered);
  for (std::size_t flag = 0; flag < set.size(); ++flag) {
    if (set[flag] && (flag >= gone.size() || !gone[flag])) {
      return true;
    }
  }
  return false;
}

}  // namespace jvmdebug::agent::coverage
