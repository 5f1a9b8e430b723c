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
#include "classfile/descriptor.h"
#include "classfile/relocation.h"
#include "classfile/rewrite_error.h"

namespace jvmdebug::classfile {

// Returns the type as instructions and the recorder's methods tell them apart: I J F D A V.
[[nodiscard]] char computed(char type);
// Returns the descriptor of a parameter of the recorder's methods for such a value.
[[nodiscard]] std::string descriptor_of(char type);
// Returns where lines begin.
[[nodiscard]] std::vector<std::size_t> lines_in(const ClassFile& file, const Code& code);
// Whether calls of a method say nothing: making and reading boxes, and the constructor of Object.
[[nodiscard]] bool is_noise(const MemberReference& member);

[[nodiscard]] bool is_static(const Method& method);

// Returns where `this` is initialized in a constructor: behind the call of another constructor for
// it, the first one that has no `new` before it. kNoInstruction if there is none.
[[nodiscard]] Rewritten<std::size_t> behind_super(const ClassFile& file, const Code& code,
                                                  const std::vector<std::size_t>& instructions);

struct RecordedParameter {
  char type = 'L';  // the first character of the descriptor
  std::size_t slot = 0;
};

// Returns what a method gets; with `this`, but not before that is initialized.
[[nodiscard]] std::vector<RecordedParameter> parameters_of(const MethodTypes& types, bool is_static,
                                                           bool is_constructor);

// Returns the types of the local variables where a method begins. `file` gets the constants.
[[nodiscard]] Rewritten<KnownLocals> locals_at_start(ClassFile& file, const Method& method,
                                                     const MethodTypes& types);

}  // namespace jvmdebug::classfile
