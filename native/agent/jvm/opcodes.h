// SPDX-License-Identifier: Apache-2.0
//
// Opcodes of the JVM specification that more than one reader of bytecode names.
#pragma once

#include <cstddef>
#include <cstdint>

namespace jvmdebug::agent::jvm {

inline constexpr std::uint8_t kTableSwitch = 170;
inline constexpr std::uint8_t kLookupSwitch = 171;
inline constexpr std::uint8_t kWide = 196;

inline constexpr std::size_t kWord = 4;  // bytes of an operand of the switches

}  // namespace jvmdebug::agent::jvm
