// SPDX-License-Identifier: Apache-2.0
//
// Opcodes of the JVM specification that the agent writes; names that end in a digit have their
// operand in them. What readers of bytecode look for is in jvm/opcodes.h.
#pragma once

#include <cstdint>

namespace jvmdebug::agent::probes::op {

enum Opcode : std::uint8_t {
  kAconstNull = 1,
  kIconst0 = 3,
  kIconst1 = 4,
  kIconst2 = 5,
  kIconst4 = 7,
  kIconst5 = 8,
  kLconst1 = 10,
  kBipush = 16,
  kIload = 21,
  kLload = 22,
  kAload = 25,
  kIload2 = 28,
  kIload3 = 29,
  kAload0 = 42,
  kAload1 = 43,
  kAload2 = 44,
  kIaload = 46,
  kLaload = 47,
  kAaload = 50,
  kSaload = 53,
  kIstore = 54,
  kLstore = 55,
  kAstore = 58,
  kIstore3 = 62,
  kAstore0 = 75,
  kAstore2 = 77,
  kLastore = 80,
  kPop = 87,
  kDup2 = 92,
  kLshl = 121,
  kLushr = 125,
  kIor = 128,
  kLxor = 131,
  kIinc = 132,
  kI2l = 133,
  kL2i = 136,
  kLcmp = 148,
  kIfEq = 153,
  kIfNe = 154,
  kIfLe = 158,
  kIfIcmpNe = 160,
  kIfIcmpLt = 161,
  kIfIcmpGe = 162,
  kGoto = 167,
  kIreturn = 172,
  kAreturn = 176,
  kReturn = 177,
  kGetStatic = 178,
  kGetField = 180,
  kInvokeVirtual = 182,
  kInvokeSpecial = 183,
  kInvokeStatic = 184,
  kInvokeInterface = 185,
  kArrayLength = 190,
  kCheckCast = 192,
  kInstanceOf = 193,
  kIfNull = 198,
};

}  // namespace jvmdebug::agent::probes::op
