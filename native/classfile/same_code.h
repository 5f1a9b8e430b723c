// SPDX-License-Identifier: Apache-2.0
//
// Tells whether HotSpot considers a method of two class files unchanged. Works on bytes only.
#pragma once

#include <cstdint>
#include <optional>

#include "classfile/class_file.h"

namespace jvmdebug::classfile {

// Whether the code is certainly the same; false in case of doubt, as for dynamically computed
// constants. Handlers and line tables do not count. False for methods without code.
[[nodiscard]] bool is_same_code(const ClassFile& one, const Method& method, const ClassFile& other,
                                const Method& other_method);

// Returns by how many words the operand stack of the first one is deeper, if they are the same
// otherwise. Nothing in case of doubt.
[[nodiscard]] std::optional<std::uint16_t> deeper_by(const ClassFile& one, const Method& method,
                                                     const ClassFile& other,
                                                     const Method& other_method);

}  // namespace jvmdebug::classfile
