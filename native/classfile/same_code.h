// SPDX-License-Identifier: Apache-2.0
//
// Whether HotSpot takes a method of two class files for the same. Knows bytes only.
#pragma once

#include "classfile/class_file.h"

namespace jvmdebug::classfile {

// Certainly: not where that depends on constants other than classes and members. False for methods
// without code.
[[nodiscard]] bool is_same_code(const ClassFile& one, const Method& method, const ClassFile& other,
                                const Method& other_method);

}  // namespace jvmdebug::classfile
