// SPDX-License-Identifier: Apache-2.0
//
// The reason why a class file cannot be read or rewritten. The class is unchanged then.
#pragma once

#include <cstdint>
#include <expected>
#include <string_view>

namespace jvmdebug::classfile {

enum class RewriteError : std::uint8_t {
  kMalformed,         // not a class file, or one that ends early or contradicts itself
  kNoCode,            // the method is abstract or native
  kNoInstruction,     // no instruction begins at the index
  kTooManyConstants,  // more than the constant pool can hold
  kCodeTooLong,       // more than 65,535 bytes
  kBranchTooFar,      // more than a branch of two bytes can reach
  kStackTooDeep,
  kVariablesTaken,  // other inserted code uses the slots of local variables that are added
};

[[nodiscard]] constexpr std::string_view text(RewriteError error) {
  switch (error) {
    case RewriteError::kMalformed:
      return "the class file is malformed";
    case RewriteError::kNoCode:
      return "the method has no code";
    case RewriteError::kNoInstruction:
      return "no instruction begins there";
    case RewriteError::kTooManyConstants:
      return "the constant pool is full";
    case RewriteError::kCodeTooLong:
      return "the method would be longer than 64 kB";
    case RewriteError::kBranchTooFar:
      return "a branch would be longer than 32 kB";
    case RewriteError::kStackTooDeep:
      return "the operand stack would be too deep";
    case RewriteError::kVariablesTaken:
      return "other inserted code uses the same local variables";
  }
  return "unknown error";
}

template <class T>
using Rewritten = std::expected<T, RewriteError>;

}  // namespace jvmdebug::classfile
