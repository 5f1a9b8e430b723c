// SPDX-License-Identifier: Apache-2.0
//
// The code at the beginning of a method by which a thread jumps to another instruction of it:
//
//     if (JvmdebugProbeJumps.begins(number)) {
//       each local variable = JvmdebugProbeJumps.reference(index), or .integer(index), …
//       goto target
//     }
//
// Parameters are not restored: the frame that was popped has left them to the new one. The verifier
// must know what the target and the end of this code expect (classfile::InsertedJump). Makes bytes
// only; JumpCalls puts them into classes.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "classfile/class_file.h"
#include "classfile/relocation.h"
#include "classfile/rewrite_error.h"

namespace jvmdebug::agent::jumps {

// The class is in the package java.lang, so a call needs no permission of a module or class loader.
inline constexpr const char* kJumpsClass = "java/lang/JvmdebugProbeJumps";

// A local variable at the target.
struct JumpLocal {
  std::uint16_t slot = 0;
  std::string type;           // I, F, J, D, La/b/C; or [I; empty for null
  bool is_parameter = false;  // it stays as it is
};

// A jump in a method, without the values of the variables.
struct JumpSpec {
  std::uint16_t number = 0;
  std::uint16_t target = 0;         // index of an instruction of the method's own code
  std::vector<JumpLocal> locals{};  // by slot

  // Whether the same code serves both, with the number of the other.
  [[nodiscard]] bool is_like(const JumpSpec& other) const;
};

[[nodiscard]] classfile::Rewritten<classfile::Insertion> jump_code(classfile::ClassFile& file,
                                                                   const classfile::Method& method,
                                                                   const JumpSpec& jump);

}  // namespace jvmdebug::agent::jumps
