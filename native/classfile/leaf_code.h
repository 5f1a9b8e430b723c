// SPDX-License-Identifier: Apache-2.0
//
// Finds methods that call nothing, do not branch and cannot throw, such as accessors of a field:
// control can only run from their beginning to their end, and no other code in between.
#pragma once

#include "classfile/class_file.h"
#include "classfile/code.h"
#include "classfile/straight_code.h"

namespace jvmdebug::classfile {

// Whether it is such a method. Of errors of the VM itself (no memory, no stack) nothing is said.
[[nodiscard]] bool is_leaf(const ClassFile& file, const Method& method, const Code& code,
                           const StraightCode& straight);

}  // namespace jvmdebug::classfile
