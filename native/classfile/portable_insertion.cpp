// SPDX-License-Identifier: Apache-2.0
#include "classfile/portable_insertion.h"

#include <cstdint>
#include <utility>

#include "classfile/bytecode.h"
#include "classfile/opcodes.h"
#include "codec/result.h"

namespace jvmdebug::classfile {
namespace {

constexpr std::uint8_t kLdc = 18;
constexpr std::uint8_t kLdc2W = 20;
constexpr std::size_t kByte = 256;

bool names_member(std::uint8_t opcode) {
  return opcode >= kGetStatic && opcode <= kInvokeStatic;
}

// Whether the instruction may name other constants: some from invokeinterface to multianewarray do.
bool may_name_others(std::uint8_t opcode) {
  return (opcode >= kLdc && opcode <= kLdc2W) ||
         (opcode > kInvokeStatic && opcode <= kMultiANewArray && opcode != kAthrow &&
          opcode != kWide);
}

}  // namespace

Rewritten<PortableInsertion> portable(const Insertion& insertion, const ConstantPool& pool) {
  PortableInsertion made{.insertion = insertion, .named = {}};
  const auto& code = insertion.code;
  for (std::size_t at = 0; at < code.size();) {
    const std::size_t size = instruction_size(code, at);
    if (size == 0 || may_name_others(code[at])) {
      return std::unexpected(RewriteError::kMalformed);
    }
    if (names_member(code[at])) {
      auto member = pool.member(code[at + 1] * kByte + code[at + 2]);
      if (!member) {
        return std::unexpected(RewriteError::kMalformed);
      }
      made.named.push_back({.at = at + 1, .member = *std::move(member)});
    }
    at += size;
  }
  return made;
}

Rewritten<Insertion> fitted(const PortableInsertion& portable, ConstantPool& pool) {
  Insertion made = portable.insertion;
  for (const auto& [at, member] : portable.named) {
    JVMDEBUG_ASSIGN(const std::uint16_t index, pool.add_member(member));
    made.code[at] = static_cast<std::uint8_t>(index / kByte);
    made.code[at + 1] = static_cast<std::uint8_t>(index % kByte);
  }
  return made;
}

}  // namespace jvmdebug::classfile
