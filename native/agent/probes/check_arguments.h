// SPDX-License-Identifier: Apache-2.0
//
// The code that leaves the arguments of a check on the operand stack, in front of the instruction
// where it is called: local variables, and operands of that instruction. Knows bytes and no VM.
#pragma once

#include <cstdint>

#include "agent/probes/probe_classes.h"
#include "classfile/assembler.h"
#include "classfile/code.h"
#include "classfile/rewrite_error.h"

namespace jvmdebug::agent::probes {

// What the code needs of the method.
struct Needed {
  std::uint16_t stack = 0;   // slots above what is there
  std::uint16_t locals = 0;  // slots that the method must have at least
};

// kNoInstruction where a load is of an array store, and the instruction is none of that type.
[[nodiscard]] classfile::Rewritten<Needed> push_arguments(classfile::Assembler& assembler,
                                                          const CheckCall& call,
                                                          const classfile::Code& code);

}  // namespace jvmdebug::agent::probes
