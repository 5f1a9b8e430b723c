// SPDX-License-Identifier: Apache-2.0
//
// Adjusts the StackMapTable of a method whose instructions have moved. Knows only the form of the
// frames.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "classfile/relocation.h"
#include "classfile/rewrite_error.h"

namespace jvmdebug::classfile {

// Returns the content of the attribute for the moved code, without name and length.
[[nodiscard]] Rewritten<std::vector<std::uint8_t>> move_stack_map(
    std::span<const std::uint8_t> content, const Relocation& relocation);

}  // namespace jvmdebug::classfile
