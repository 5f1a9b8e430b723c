// SPDX-License-Identifier: Apache-2.0
//
// JDK-8315575 (16..21): in the class file that the VM makes of a record for its retransformation,
// the attribute count of a component includes annotations with class file retention, but the VM has
// not kept these. It then refuses its own file, and so each change of the record. Works on bytes,
// without a VM.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace jvmdebug::classfile {

// Returns the class file with the right counts; nothing if they are right already, or if the file
// cannot be understood.
[[nodiscard]] std::optional<std::vector<std::uint8_t>> with_record_counts(
    std::span<const std::uint8_t> class_file);

}  // namespace jvmdebug::classfile
