// SPDX-License-Identifier: Apache-2.0
//
// Whether HotSpot takes a method of two class files for the same. Knows bytes only.
#pragma once

#include <cstdint>
#include <optional>

#include "classfile/class_file.h"

namespace jvmdebug::classfile {

// Certainly: false where it is in doubt, as for constants that are computed. Handlers and line
// tables do not count. False for methods without code.
[[nodiscard]] bool is_same_code(const ClassFile& one, const Method& method, const ClassFile& other,
                                const Method& other_method);

// The number of words by which the operand stack of the first one is deeper, if they are the same
// otherwise. Nothing where that is in doubt.
[[nodiscard]] std::optional<std::uint16_t> deeper_by(const ClassFile& one, const Method& method,
                                                     const ClassFile& other,
                                                     const Method& other_method);

}  // namespace jvmdebug::classfile
