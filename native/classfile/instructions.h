// SPDX-License-Identifier: Apache-2.0
//
// The instructions of a method's code and where its branches are written. Knows bytes only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace jvmdebug::classfile {

// The offset of a branch: where it is written in the code, in how many bytes, and its value, which
// counts from the instruction.
struct BranchOffset {
  std::size_t at = 0;
  std::size_t width = 0;
  std::int64_t offset = 0;
};

// Where instructions begin, in order; empty for code that is malformed.
[[nodiscard]] std::vector<std::size_t> instructions(std::span<const std::uint8_t> code);

// Of the instruction at `at`, which is `size` bytes long.
[[nodiscard]] std::vector<BranchOffset> branch_offsets(std::span<const std::uint8_t> code,
                                                       std::size_t at, std::size_t size);

}  // namespace jvmdebug::classfile
