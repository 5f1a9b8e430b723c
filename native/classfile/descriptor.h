// SPDX-License-Identifier: Apache-2.0
//
// Reads descriptors of methods, without a class file.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

namespace jvmdebug::classfile {

struct MethodTypes {
  std::vector<std::string_view> parameters;  // descriptors, parts of the text
  std::string_view result;
};

// Returns the types of a method; nothing for a text that is no descriptor of one.
[[nodiscard]] std::optional<MethodTypes> method_types(std::string_view descriptor);

// Returns the slots of a value, by the first character of its descriptor.
[[nodiscard]] constexpr std::size_t slots_of(char type) {
  return type == 'V' ? 0 : (type == 'J' || type == 'D' ? 2 : 1);
}

}  // namespace jvmdebug::classfile
