// SPDX-License-Identifier: Apache-2.0
#include "classfile/leaf_code.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "classfile/bytecode.h"
#include "classfile/instructions.h"
#include "classfile/opcodes.h"
#include "classfile/recorded_kinds.h"
#include "classfile/thread_order.h"

namespace jvmdebug::classfile {
namespace {

// Whether `aload_0`, one that pushes a value, `putfield`, `return` is all: a field of `this` is
// set.
bool sets_own_field(const ClassFile& file, const Method& method, const Code& code,
                    const std::vector<std::size_t>& all, const StraightCode& straight) {
  constexpr std::size_t kLength = 4;
  if (is_static(method) || all.size() != kLength || code.bytes[all[0]] != kAload0 ||
      code.bytes[all[2]] != kPutField) {
    return false;
  }
  const std::uint8_t pushes = code.bytes[all[1]];
  const bool is_value = pushes <= kAload3;  // a constant or a local variable
  const auto member = file.pool().member(operand_at(code.bytes, all[2] + 1));
  return is_value && straight.only_continues(all[1]) && member && member->owner == file.name();
}

}  // namespace

bool is_leaf(const ClassFile& file, const Method& method, const Code& code,
             const StraightCode& straight) {
  const auto all = instructions(code.bytes);
  if (all.empty() || !code.handlers.empty() || is_synchronized(method)) {
    return false;
  }
  const std::uint8_t last = code.bytes[all.back()];
  if (last < kIreturn || last > kReturn) {
    return false;
  }
  if (sets_own_field(file, method, code, all, straight)) {
    return true;
  }
  for (const std::size_t at : std::span(all).first(all.size() - 1)) {
    if (straight.is_entered(at) || !straight.only_continues(at)) {
      return false;
    }
  }
  return !straight.is_entered(all.back());
}

}  // namespace jvmdebug::classfile
