// SPDX-License-Identifier: Apache-2.0
#include "classfile/array_stores.h"

#include <algorithm>
#include <string_view>

#include "classfile/emitted_opcodes.h"
#include "classfile/instructions.h"

namespace jvmdebug::classfile {

std::optional<std::uint8_t> store_of_elements(char letter) {
  constexpr std::string_view kLetters = "IJFDLBCS";  // by iastore to sastore
  const char known = letter == '[' ? 'L' : letter == 'Z' ? 'B' : letter;
  const auto found = kLetters.find(known);
  return found == std::string_view::npos
             ? std::nullopt
             : std::optional(static_cast<std::uint8_t>(op::kIastore + found));
}

std::vector<std::size_t> array_stores(std::span<const std::uint8_t> code, std::uint8_t opcode) {
  std::vector<std::size_t> found;
  if (std::ranges::find(code, opcode) == code.end()) {
    return found;
  }
  for (const std::size_t at : instructions(code)) {
    if (code[at] == opcode) {
      found.push_back(at);
    }
  }
  return found;
}

}  // namespace jvmdebug::classfile
