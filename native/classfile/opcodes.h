// SPDX-License-Identifier: Apache-2.0
//
// Opcodes of the JVM specification that more than one reader of bytecode uses.
#pragma once

#include <cstddef>
#include <cstdint>

namespace jvmdebug::classfile {

inline constexpr std::uint8_t kLdc = 18;
inline constexpr std::uint8_t kLdc2W = 20;
inline constexpr std::uint8_t kAload = 25;
inline constexpr std::uint8_t kAload0 = 42;
inline constexpr std::uint8_t kAload3 = 45;
inline constexpr std::uint8_t kIstore = 54;  // then lstore, fstore, dstore, astore
inline constexpr std::uint8_t kAstore = 58;
inline constexpr std::uint8_t kIstore0 = 59;  // then istore_1 …, four of each type
inline constexpr std::uint8_t kAstore0 = 75;
inline constexpr std::uint8_t kAstore3 = 78;
inline constexpr std::uint8_t kIinc = 132;
inline constexpr std::uint8_t kIfEq = 153;
inline constexpr std::uint8_t kGoto = 167;
inline constexpr std::uint8_t kJsr = 168;
inline constexpr std::uint8_t kRet = 169;
inline constexpr std::uint8_t kTableSwitch = 170;
inline constexpr std::uint8_t kLookupSwitch = 171;
inline constexpr std::uint8_t kIreturn = 172;
inline constexpr std::uint8_t kAreturn = 176;
inline constexpr std::uint8_t kReturn = 177;
inline constexpr std::uint8_t kGetStatic = 178;
inline constexpr std::uint8_t kGetField = 180;
inline constexpr std::uint8_t kPutField = 181;
inline constexpr std::uint8_t kInvokeVirtual = 182;
inline constexpr std::uint8_t kInvokeSpecial = 183;
inline constexpr std::uint8_t kInvokeStatic = 184;
inline constexpr std::uint8_t kInvokeInterface = 185;
inline constexpr std::uint8_t kInvokeDynamic = 186;
inline constexpr std::uint8_t kNew = 187;
inline constexpr std::uint8_t kAthrow = 191;
inline constexpr std::uint8_t kCheckCast = 192;
inline constexpr std::uint8_t kMonitorEnter = 194;
inline constexpr std::uint8_t kMonitorExit = 195;
inline constexpr std::uint8_t kWide = 196;
inline constexpr std::uint8_t kMultiANewArray = 197;
inline constexpr std::uint8_t kIfNull = 198;
inline constexpr std::uint8_t kIfNonNull = 199;
inline constexpr std::uint8_t kGotoW = 200;
inline constexpr std::uint8_t kJsrW = 201;

inline constexpr std::size_t kWord = 4;  // bytes of an operand of the switches

}  // namespace jvmdebug::classfile
