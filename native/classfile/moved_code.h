// SPDX-License-Identifier: Apache-2.0
//
// Inserts instructions into the code of a method and keeps the targets of its branches. Works on
// bytes, without a class file.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "classfile/relocation.h"
#include "classfile/rewrite_error.h"

namespace jvmdebug::classfile {

// Returns the new code. The code must be well formed, and each insertion must be in front of an
// instruction.
[[nodiscard]] Rewritten<std::vector<std::uint8_t>> move_code(std::span<const std::uint8_t> code,
                                                             std::span<const Insertion> insertions,
                                                             const Relocation& relocation);

}  // namespace jvmdebug::classfile
