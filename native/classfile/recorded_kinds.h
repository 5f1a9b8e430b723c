// SPDX-License-Identifier: Apache-2.0
//
// What recording_sites.cpp asks about types, lines and called methods.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "classfile/class_file.h"
#include "classfile/code.h"
#include "classfile/constant_pool.h"

namespace jvmdebug::classfile {

// Returns the type as instructions and the recorder's methods tell them apart: I J F D A V.
[[nodiscard]] char computed(char type);
// Returns the descriptor of a parameter of the recorder's methods for such a value.
[[nodiscard]] std::string descriptor_of(char type);
// Returns where lines begin.
[[nodiscard]] std::vector<std::size_t> lines_in(const ClassFile& file, const Code& code);
// Whether calls of a method say nothing: making and reading boxes, and the constructor of Object.
[[nodiscard]] bool is_noise(const MemberReference& member);

}  // namespace jvmdebug::classfile
