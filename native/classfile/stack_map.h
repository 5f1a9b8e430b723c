// SPDX-License-Identifier: Apache-2.0
//
// The StackMapTable of a method whose instructions have moved. Knows the frames' forms and no more.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "classfile/relocation.h"
#include "classfile/rewrite_error.h"

namespace jvmdebug::classfile {

// The content of the attribute, without its name and length, for the moved code.
[[nodiscard]] Rewritten<std::vector<std::uint8_t>> move_stack_map(
    std::span<const std::uint8_t> content, const Relocation& relocation);

}  // namespace jvmdebug::classfile
