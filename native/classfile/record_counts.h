// SPDX-License-Identifier: Apache-2.0
//
// JDK-8315575 (16..21): in the class file that the VM makes of a record for its retransformation,
// a component counts annotations that are for class files alone, but the VM has not kept them. It
// then refuses its own file, and with it each change of the record. Knows bytes and no VM.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace jvmdebug::classfile {

// The class file with the right counts; none if they are right, or nothing can be made of it.
[[nodiscard]] std::optional<std::vector<std::uint8_t>> with_record_counts(
    std::span<const std::uint8_t> class_file);

}  // namespace jvmdebug::classfile
