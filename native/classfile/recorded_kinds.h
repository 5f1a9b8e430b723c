// SPDX-License-Identifier: Apache-2.0
//
// What recording_sites.cpp asks about types, lines and called methods.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "classfile/class_file.h"
#include "classfile/code.h"
#include "classfile/constant_pool.h"
#include "classfile/descriptor.h"
#include "classfile/relocation.h"
#include "classfile/rewrite_error.h"

namespace jvmdebug::classfile {

struct RecordedSlot {
  char type = 'L';  // the first character of a descriptor
  std::size_t slot = 0;
};

// Returns the type as instructions and the recorder's methods tell them apart: I J F D A V.
[[nodiscard]] char computed(char type);
// Returns the descriptor of a parameter of the recorder's methods for such a value.
[[nodiscard]] std::string descriptor_of(char type);
// Returns what a store of a local variable stores: the type (I J F D A), and the slot.
[[nodiscard]] std::optional<RecordedSlot> stored_local(std::span<const std::uint8_t> code,
                                                       std::size_t at);
// Returns the slot of an `iinc`, and by how much it grows: the lower 16 bits of that.
[[nodiscard]] std::pair<std::size_t, std::size_t> increment_at(std::span<const std::uint8_t> code,
                                                               std::size_t at);
// Whether the code has `jsr` and `ret`, as compilers made it for class files before version 50.
[[nodiscard]] bool has_subroutines(std::span<const std::uint8_t> code,
                                   const std::vector<std::size_t>& instructions);
// Returns where lines begin.
[[nodiscard]] std::vector<std::size_t> lines_in(const ClassFile& file, const Code& code);
// Whether calls of a method say nothing: making and reading boxes, and the constructor of Object.
[[nodiscard]] bool is_noise(const MemberReference& member);

[[nodiscard]] bool is_static(const Method& method);

// Returns where `this` is initialized in a constructor: behind the call of another constructor for
// it, the first one that has no `new` before it. kNoInstruction if there is none.
[[nodiscard]] Rewritten<std::size_t> behind_super(const ClassFile& file, const Code& code,
                                                  const std::vector<std::size_t>& instructions);

// Returns what a method gets; with `this`, but not before that is initialized.
[[nodiscard]] std::vector<RecordedSlot> parameters_of(const MethodTypes& types, bool is_static,
                                                      bool is_constructor);

// Returns the types of the local variables where a method begins. `file` gets the constants.
[[nodiscard]] Rewritten<KnownLocals> locals_at_start(ClassFile& file, const Method& method,
                                                     const MethodTypes& types);

}  // namespace jvmdebug::classfile
