// SPDX-License-Identifier: Apache-2.0
//
// Adjusts the StackMapTable of a method whose instructions have moved. Knows only the form of the
// frames.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "classfile/relocation.h"
#include "classfile/rewrite_error.h"

namespace jvmdebug::classfile {

// Returns the content of the attribute for the moved code, without name and length.
[[nodiscard]] Rewritten<std::vector<std::uint8_t>> move_stack_map(
    std::span<const std::uint8_t> content, const Relocation& relocation);

// Returns the content with a frame at each of these indices that has none, with an empty operand
// stack. `first`: the local variables where the method begins. Content and result are for the same
// code.
[[nodiscard]] Rewritten<std::vector<std::uint8_t>> add_frames(
    std::span<const std::uint8_t> content, const KnownLocals& first,
    const std::map<std::size_t, KnownLocals>& added);

// Returns the content with the variables in each frame, and with frames for their handler, which
// begins at `handler`. Content and result are for the same code.
[[nodiscard]] Rewritten<std::vector<std::uint8_t>> add_variables(
    std::span<const std::uint8_t> content, const AddedVariables& added, std::size_t handler);

}  // namespace jvmdebug::classfile
