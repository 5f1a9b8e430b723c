// SPDX-License-Identifier: Apache-2.0
//
// JVM specification, 4.7.4: the types of stack map frames.
#pragma once

#include <cstdint>

namespace jvmdebug::classfile::verification {

inline constexpr std::uint8_t kTop = 0;
inline constexpr std::uint8_t kInteger = 1;
inline constexpr std::uint8_t kFloat = 2;
inline constexpr std::uint8_t kDouble = 3;
inline constexpr std::uint8_t kLong = 4;
inline constexpr std::uint8_t kUninitializedThis = 6;
inline constexpr std::uint8_t kObject = 7;
inline constexpr std::uint8_t kUninitialized = 8;

}  // namespace jvmdebug::classfile::verification
