// SPDX-License-Identifier: Apache-2.0
//
// Patterns of class names, as several command sets have them on the wire.
#pragma once

#include <algorithm>
#include <iterator>
#include <string>
#include <vector>

namespace jvmdebug::agent::commands {

// Returns the texts of a list of structures that have a pattern each.
template <class Patterns>
std::vector<std::string> texts(const Patterns& patterns) {
  std::vector<std::string> all;
  std::ranges::transform(patterns, std::back_inserter(all),
                         [](const auto& each) { return each.pattern; });
  return all;
}

}  // namespace jvmdebug::agent::commands
