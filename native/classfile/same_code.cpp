// SPDX-License-Identifier: Apache-2.0
#include "classfile/same_code.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "classfile/bytecode.h"
#include "classfile/opcodes.h"
#include "codec/reader.h"

namespace jvmdebug::classfile {
namespace {

constexpr std::uint8_t kANewArray = 189;
constexpr std::uint8_t kInstanceOf = 193;

bool names_class(std::uint8_t opcode) {
  return opcode == kNew || opcode == kANewArray || opcode == kCheckCast || opcode == kInstanceOf ||
         opcode == kMultiANewArray;
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

bool is_nan(std::span<const std::uint8_t> bytes) {
  std::uint64_t bits = 0;
  for (const std::uint8_t byte : bytes) {
    bits = (bits << 8U) | byte;
  }
  constexpr std::size_t kFloatSize = 4;
  return bytes.size() == kFloatSize
             ? std::isnan(std::bit_cast<float>(static_cast<std::uint32_t>(bits)))
             : std::isnan(std::bit_cast<double>(bits));
}

// The bootstrap methods of the invokedynamic instructions of a class: a method handle and its
// arguments each.
using Bootstraps = std::vector<std::vector<std::size_t>>;

Bootstraps bootstraps_of(const ClassFile& file) {
  Bootstraps found;
  for (const Attribute& attribute : file.class_attributes()) {
    if (!file.pool().is_utf8(attribute.name, "BootstrapMethods")) {
      continue;
    }
    codec::Reader reader(attribute.content);
    const std::size_t count = reader.read_unsigned_short();
    for (std::size_t number = 0; number < count && !reader.failed(); ++number) {
      std::vector<std::size_t> all{reader.read_unsigned_short()};
      const std::size_t arguments = reader.read_unsigned_short();
      for (std::size_t at = 0; at < arguments && !reader.failed(); ++at) {
        all.push_back(reader.read_unsigned_short());
      }
      found.push_back(std::move(all));
    }
  }
  return found;
}

// Compares constants of two class files.
class Comparison {
 public:
  Comparison(const ClassFile& one, const ClassFile& other)
      : one_(one.pool()),
        other_(other.pool()),
        bootstraps_(bootstraps_of(one)),
        other_bootstraps_(bootstraps_of(other)) {}

  // Whether two constants are the same; false for kinds that are not compared.
  [[nodiscard]] bool are_same(std::size_t index, std::size_t other_index) const;

 private:
  [[nodiscard]] bool have_same_bootstrap(std::size_t number, std::size_t other_number) const;

  const ConstantPool& one_;
  const ConstantPool& other_;
  Bootstraps bootstraps_;
  Bootstraps other_bootstraps_;
};

bool Comparison::have_same_bootstrap(std::size_t number, std::size_t other_number) const {
  if (number >= bootstraps_.size() || other_number >= other_bootstraps_.size()) {
    return false;
  }
  return std::ranges::equal(
      bootstraps_[number], other_bootstraps_[other_number],
      [this](std::size_t index, std::size_t other) { return are_same(index, other); });
}

bool Comparison::are_same(std::size_t index, std::size_t other_index) const {
  const auto bytes = one_.whole(index);
  const auto others = other_.whole(other_index);
  if (bytes.empty() || others.empty() || bytes[0] != others[0]) {
    return false;
  }
  constexpr std::size_t kByte = 256;
  const auto index_at = [](std::span<const std::uint8_t> from, std::size_t at) {
    return from[at] * kByte + from[at + 1];
  };
  switch (one_.kind(index)) {
    case Constant::kInteger:
    case Constant::kLong:
      return std::ranges::equal(bytes, others);
    case Constant::kFloat:
    case Constant::kDouble:  // HotSpot treats all NaN constants as equal
      return std::ranges::equal(bytes, others) && !is_nan(bytes.subspan(1));
    case Constant::kClass:
    case Constant::kString:
    case Constant::kMethodType: {
      const auto text = one_.utf8(index_at(bytes, 1));
      return text && text == other_.utf8(index_at(others, 1));
    }
    case Constant::kField:
    case Constant::kMethod:
    case Constant::kInterfaceMethod:
      return is_same_member(one_, index, other_, other_index);
    case Constant::kMethodHandle:
      return bytes[1] == others[1] &&
             is_same_member(one_, index_at(bytes, 2), other_, index_at(others, 2));
    case Constant::kInvokeDynamic:
      return is_same_member(one_, index, other_, other_index) &&
             have_same_bootstrap(index_at(bytes, 1), index_at(others, 1));
    default:
      return false;
  }
}

// Returns how many bytes after the opcode are the index of a constant; 0 if there is none.
std::size_t index_size(std::uint8_t opcode) {
  if (opcode == kLdc) {
    return 1;
  }
  const bool has = (opcode > kLdc && opcode <= kLdc2W) || names_class(opcode) ||
                   names_member(opcode) || opcode == kInvokeDynamic;
  return has ? 2 : 0;
}

// Compares two instructions with the same opcode.
bool is_same_instruction(const Comparison& constants, std::span<const std::uint8_t> bytes,
                         std::span<const std::uint8_t> other_bytes) {
  const std::size_t size = index_size(bytes[0]);
  if (size > 0) {
    constexpr std::size_t kByte = 256;
    const auto index_in = [&](std::span<const std::uint8_t> from) {
      return size == 1 ? std::size_t{from[1]} : from[1] * kByte + from[2];
    };
    if (!constants.are_same(index_in(bytes), index_in(other_bytes))) {
      return false;
    }
  }
  return std::ranges::equal(bytes.subspan(1 + size), other_bytes.subspan(1 + size));
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
  const Comparison constants(one, other);
  for (std::size_t at = 0; at < code->bytes.size();) {
    const std::size_t size = instruction_size(code->bytes, at);
    if (size == 0 || at + size > code->bytes.size() || code->bytes[at] != other_code->bytes[at] ||
        !is_same_instruction(constants, code->bytes.subspan(at, size),
                             other_code->bytes.subspan(at, size))) {
      return std::nullopt;
    }
    at += size;
  }
  return static_cast<std::uint16_t>(code->max_stack - other_code->max_stack);
}

bool is_same_code(const ClassFile& one, const Method& method, const ClassFile& other,
                  const Method& other_method) {
  return deeper_by(one, method, other, other_method) == 0;
}

}  // namespace jvmdebug::classfile
