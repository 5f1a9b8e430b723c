// SPDX-License-Identifier: Apache-2.0
//
// Finds the instructions of a method's code and the offsets of its branches. Works on bytes only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace jvmdebug::classfile {

// The offset of a branch: its position in the code, its size in bytes, and its value, relative to
// the instruction.
struct BranchOffset {
  std::size_t at = 0;
  std::size_t width = 0;
  std::int64_t offset = 0;
};

// Returns the unsigned operand of two bytes at `at`, which must be inside the code.
[[nodiscard]] inline std::size_t operand_at(std::span<const std::uint8_t> code, std::size_t at) {
  constexpr unsigned kBitsOfByte = 8;
  return (std::size_t{code[at]} << kBitsOfByte) + code[at + 1];
}

// Returns where instructions begin, in order; empty for malformed code.
[[nodiscard]] std::vector<std::size_t> instructions(std::span<const std::uint8_t> code);

// Returns the branch offsets of the instruction at `at`, which is `size` bytes long.
[[nodiscard]] std::vector<BranchOffset> branch_offsets(std::span<const std::uint8_t> code,
                                                       std::size_t at, std::size_t size);

}  // namespace jvmdebug::classfile
