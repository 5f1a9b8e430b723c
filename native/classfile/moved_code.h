// SPDX-License-Identifier: Apache-2.0
//
// The instructions of a method with others inserted: their branches go where they went. Knows
// bytes and no class file.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "classfile/relocation.h"
#include "classfile/rewrite_error.h"

namespace jvmdebug::classfile {

// The code must be well formed, and the insertions in front of instructions of it.
[[nodiscard]] Rewritten<std::vector<std::uint8_t>> move_code(std::span<const std::uint8_t> code,
                                                             std::span<const Insertion> insertions,
                                                             const Relocation& relocation);

}  // namespace jvmdebug::classfile
