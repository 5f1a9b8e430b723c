// SPDX-License-Identifier: Apache-2.0
#include "agent/probes/same_code.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "agent/jvm/bytecode.h"
#include "agent/jvm/opcodes.h"
#include "codec/reader.h"

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

// The method handle of a bootstrap method, and its arguments.
std::optional<std::vector<std::uint16_t>> bootstrap_method(const ClassFile& file,
                                                           std::size_t number) {
  for (const Attribute& each : file.class_attributes()) {
    if (!file.pool().is_utf8(each.name, "BootstrapMethods")) {
      continue;
    }
    codec::Reader reader(each.content);
    const std::size_t count = reader.read_unsigned_short();
    for (std::size_t at = 0; at < count && !reader.failed(); ++at) {
      std::vector<std::uint16_t> constants{reader.read_unsigned_short()};
      const std::size_t arguments = reader.read_unsigned_short();
      for (std::size_t argument = 0; argument < arguments && !reader.failed(); ++argument) {
        constants.push_back(reader.read_unsigned_short());
      }
      if (at == number && !reader.failed()) {
        return constants;
      }
    }
  }
  return std::nullopt;
}

bool is_same_call(const ClassFile& one, std::size_t index, const ClassFile& other,
                  std::size_t other_index) {
  const auto number = one.pool().bootstrap_of(index);
  const auto other_number = other.pool().bootstrap_of(other_index);
  if (!number || !other_number || !is_same_member(one.pool(), index, other.pool(), other_index)) {
    return false;
  }
  const auto constants = bootstrap_method(one, *number);
  const auto others = bootstrap_method(other, *other_number);
  return constants && others &&
         std::ranges::equal(*constants, *others, [&](std::uint16_t own, std::uint16_t its) {
           return one.pool().is_same_value(own, other.pool(), its);
         });
}

// Of `size` bytes, with the same opcode.
bool is_same_instruction(const ClassFile& one, std::span<const std::uint8_t> bytes,
                         const ClassFile& other, std::span<const std::uint8_t> other_bytes) {
  constexpr std::size_t kByte = 256;
  constexpr std::size_t kIndexEnd = 3;
  const std::uint8_t opcode = bytes[0];
  const auto index_of = [&](std::span<const std::uint8_t> from) {
    return opcode == kLdc ? std::size_t{from[1]} : from[1] * kByte + from[2];
  };
  const ConstantPool& pool = one.pool();
  if (opcode >= kLdc && opcode <= kLdc2W) {
    return pool.is_same_value(index_of(bytes), other.pool(), index_of(other_bytes));
  }
  if (opcode == jvm::kInvokeDynamic) {
    return is_same_call(one, index_of(bytes), other, index_of(other_bytes));
  }
  const bool is_class = names_class(opcode);
  if (is_class || names_member(opcode)) {
    const std::size_t index = index_of(bytes);
    const std::size_t other_index = index_of(other_bytes);
    const bool is_same = is_class
                             ? pool.class_name(index) &&
                                   pool.class_name(index) == other.pool().class_name(other_index)
                             : is_same_member(pool, index, other.pool(), other_index);
    return is_same && std::ranges::equal(bytes.subspan(kIndexEnd), other_bytes.subspan(kIndexEnd));
  }
  return std::ranges::equal(bytes, other_bytes);
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
        !is_same_instruction(one, code->bytes.subspan(at, size), other,
                             other_code->bytes.subspan(at, size))) {
      return std::nullopt;
    }
    at += size;
  }
  return static_cast<std::uint16_t>(code->max_stack - other_code->max_stack);
}

}  // namespace jvmdebug::agent::probes
