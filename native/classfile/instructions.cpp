// SPDX-License-Identifier: Apache-2.0
#include "classfile/instructions.h"

#include "classfile/bytecode.h"
#include "classfile/opcodes.h"

namespace jvmdebug::classfile {
namespace {

constexpr std::size_t kShort = 2;

// Reads a big-endian signed number.
std::int64_t number(std::span<const std::uint8_t> bytes) {
  std::uint32_t bits = (bytes.front() & 0x80U) != 0 ? ~0U : 0U;
  for (const std::uint8_t byte : bytes) {
    bits = (bits << 8U) | byte;
  }
  return static_cast<std::int32_t>(bits);
}

}  // namespace

std::vector<std::size_t> instructions(std::span<const std::uint8_t> code) {
  std::vector<std::size_t> found;
  for (std::size_t at = 0; at < code.size();) {
    const std::size_t size = instruction_size(code, at);
    if (size == 0) {
      return {};
    }
    found.push_back(at);
    at += size;
  }
  return found;
}

std::vector<BranchOffset> branch_offsets(std::span<const std::uint8_t> code, std::size_t at,
                                         std::size_t size) {
  const std::uint8_t opcode = code[at];
  std::vector<BranchOffset> found;
  const auto add = [&](std::size_t where, std::size_t width) {
    found.push_back({.at = where, .width = width, .offset = number(code.subspan(where, width))});
  };
  if ((opcode >= kIfEq && opcode <= kJsr) || opcode == kIfNull || opcode == kIfNonNull) {
    add(at + 1, kShort);
  } else if (opcode == kGotoW || opcode == kJsrW) {
    add(at + 1, kWord);
  } else if (opcode == kTableSwitch || opcode == kLookupSwitch) {
    // The default; then low, high and the offsets, or a count and pairs of a key and an offset.
    const std::size_t operands = (at / kWord + 1) * kWord;
    const std::size_t step = opcode == kTableSwitch ? kWord : 2 * kWord;
    add(operands, kWord);
    for (std::size_t entry = operands + 3 * kWord; entry < at + size; entry += step) {
      add(entry, kWord);
    }
  }
  return found;
}

}  // namespace jvmdebug::classfile
