// SPDX-License-Identifier: Apache-2.0
#include "agent/probes/same_code.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "agent/jvm/bytecode.h"
#include "agent/jvm/opcodes.h"

namespace jvmdebug::agent::probes {
namespace {

constexpr std::uint8_t kLdc = 18;
constexpr std::uint8_t kLdc2W = 20;
constexpr std::uint8_t kGetStatic = 178;
constexpr std::uint8_t kInvokeInterface = 185;
constexpr std::uint8_t kNew = 187;
constexpr std::uint8_t kANewArray = 189;
constexpr std::uint8_t kInstanceOf = 193;
constexpr std::uint8_t kMultiANewArray = 197;

bool names_class(std::uint8_t opcode) {
  return opcode == kNew || opcode == kANewArray || opcode == jvm::kCheckCast ||
         opcode == kInstanceOf || opcode == kMultiANewArray;
}

bool names_member(std::uint8_t opcode) {
  return opcode >= kGetStatic && opcode <= kInvokeInterface;
}

bool is_same_member(const ConstantPool& one, std::size_t index, const ConstantPool& other,
                    std::size_t other_index) {
  const auto member = one.member(index);
  const auto other_member = other.member(other_index);
  return member && other_member && member->kind == other_member->kind &&
         member->owner == other_member->owner && member->name == other_member->name &&
         member->descriptor == other_member->descriptor;
}

// Of `size` bytes, with the same opcode.
bool is_same_instruction(const ConstantPool& one, std::span<const std::uint8_t> bytes,
                         const ConstantPool& other, std::span<const std::uint8_t> other_bytes) {
  constexpr std::size_t kByte = 256;
  constexpr std::size_t kIndexEnd = 3;
  const std::uint8_t opcode = bytes[0];
  const bool is_class = names_class(opcode);
  if (is_class || names_member(opcode)) {
    const std::size_t index = bytes[1] * kByte + bytes[2];
    const std::size_t other_index = other_bytes[1] * kByte + other_bytes[2];
    const bool is_same =
        is_class ? one.class_name(index) && one.class_name(index) == other.class_name(other_index)
                 : is_same_member(one, index, other, other_index);
    return is_same && std::ranges::equal(bytes.subspan(kIndexEnd), other_bytes.subspan(kIndexEnd));
  }
  if (opcode >= kLdc && opcode <= kLdc2W) {
    const bool is_short = opcode == kLdc;
    const std::size_t index = is_short ? bytes[1] : bytes[1] * kByte + bytes[2];
    return one.is_same_value(index, other,
                             is_short ? other_bytes[1] : other_bytes[1] * kByte + other_bytes[2]);
  }
  return opcode != jvm::kInvokeDynamic && std::ranges::equal(bytes, other_bytes);
}

}  // namespace

std::optional<std::uint16_t> deeper_by(const ClassFile& one, const Method& method,
                                       const ClassFile& other, const Method& other_method) {
  const auto code = one.code_of(method);
  const auto other_code = other.code_of(other_method);
  if (!code || !other_code || code->max_stack < other_code->max_stack ||
      code->max_locals != other_code->max_locals ||
      code->bytes.size() != other_code->bytes.size()) {
    return std::nullopt;
  }
  for (std::size_t at = 0; at < code->bytes.size();) {
    const std::size_t size = jvm::instruction_size(code->bytes, at);
    if (size == 0 || at + size > code->bytes.size() || code->bytes[at] != other_code->bytes[at] ||
        !is_same_instruction(one.pool(), code->bytes.subspan(at, size), other.pool(),
                             other_code->bytes.subspan(at, size))) {
      return std::nullopt;
    }
    at += size;
  }
  return static_cast<std::uint16_t>(code->max_stack - other_code->max_stack);
}

}  // namespace jvmdebug::agent::probes
