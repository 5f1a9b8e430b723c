// SPDX-License-Identifier: Apache-2.0
//
// Opcodes of the JVM specification that the agent writes; a digit at the end of a name is the
// operand. The opcodes that readers of bytecode look for are in opcodes.h.
#pragma once

#include <cstdint>

namespace jvmdebug::classfile::op {

enum Opcode : std::uint8_t {
  kAconstNull = 1,
  kIconst0 = 3,
  kIconst1 = 4,
  kBipush = 16,
  kSipush = 17,
  kIload = 21,
  kAload0 = 42,
  kIstore = 54,
  kLstore = 55,
  kFstore = 56,
  kDstore = 57,
  kAstore = 58,
  kIastore = 79,
  kBastore = 84,
  kPop = 87,
  kDup = 89,
  kDupX2 = 91,
  kDup2 = 92,
  kDup2X1 = 93,
  kDup2X2 = 94,
  kSwap = 95,
  kIadd = 96,
  kIshl = 120,
  kIfEq = 153,
  kReturn = 177,
  kPutStatic = 179,
  kGetField = 180,
  kInvokeStatic = 184,
  kCheckCast = 192,
  kWide = 196,
  kGotoW = 200,
};

}  // namespace jvmdebug::classfile::op
