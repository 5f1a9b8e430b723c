// SPDX-License-Identifier: Apache-2.0
//
// Whether HotSpot takes a method of two class files for the same. Knows bytes only.
#pragma once

#include "classfile/class_file.h"

namespace jvmdebug::classfile {

// Certainly: false where it is in doubt, as for constants that are computed. Handlers and line
// tables do not count. False for methods without code.
[[nodiscard]] bool is_same_code(const ClassFile& one, const Method& method, const ClassFile& other,
                                const Method& other_method);

}  // namespace jvmdebug::classfile
