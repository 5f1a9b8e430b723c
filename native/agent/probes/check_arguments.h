// SPDX-License-Identifier: Apache-2.0
//
// Makes the code that pushes the arguments of a check, in front of the instruction where the check
// is called: local variables, and operands of that instruction. Knows bytes and no VM.
#pragma once

#include <cstdint>

#include "agent/probes/probe_classes.h"
#include "classfile/assembler.h"
#include "classfile/code.h"
#include "classfile/rewrite_error.h"

namespace jvmdebug::agent::probes {

// What the code needs of the method that it is put into.
struct Needed {
  std::uint16_t stack = 0;   // slots of the operand stack above those in use
  std::uint16_t locals = 0;  // the least number of local variable slots
};

// Adds the code. Fails with kNoInstruction if a load takes the operands of a store, and the
// instruction is not a store of that type.
[[nodiscard]] classfile::Rewritten<Needed> push_arguments(classfile::Assembler& assembler,
                                                          const CheckCall& call,
                                                          const classfile::Code& code);

}  // namespace jvmdebug::agent::probes
