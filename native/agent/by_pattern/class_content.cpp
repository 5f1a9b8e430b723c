// SPDX-License-Identifier: Apache-2.0
#include "agent/by_pattern/class_content.h"

#include <cstddef>
#include <span>
#include <string_view>

#include "classfile/instructions.h"
#include "classfile/opcodes.h"
#include "codec/reader.h"

namespace jvmdebug::agent::by_pattern {
namespace {

constexpr std::uint8_t kGetStatic = 178;  // the first instruction that names a member
constexpr std::uint8_t kInvokeDynamic = 186;

// FNV-1a.
class Hash {
 public:
  explicit Hash(std::uint64_t variant) : hash_(kBasis + variant) {}

  void add(std::span<const std::uint8_t> bytes) {
    for (const std::uint8_t byte : bytes) {
      hash_ = (hash_ ^ byte) * kPrime;
    }
  }

  void add(std::string_view text) {
    for (const char each : text) {
      hash_ = (hash_ ^ static_cast<std::uint8_t>(each)) * kPrime;
    }
    hash_ *= kPrime;  // ends the text
  }

  [[nodiscard]] std::uint64_t value() const { return hash_; }

 private:
  static constexpr std::uint64_t kBasis = 0xCBF29CE484222325U;
  static constexpr std::uint64_t kPrime = 0x100000001B3U;

  std::uint64_t hash_;
};

// The code has only the numbers of the members that it uses.
void add_members(const classfile::ConstantPool& pool, std::span<const std::uint8_t> code,
                 Hash& hash) {
  constexpr std::size_t kSize = 3;
  for (const std::size_t at : classfile::instructions(code)) {
    if (code[at] < kGetStatic || code[at] > kInvokeDynamic || at + kSize > code.size()) {
      continue;
    }
    codec::Reader reader(code.subspan(at + 1, 2));
    if (const auto member = pool.member(reader.read_unsigned_short())) {
      hash.add(member->owner);
      hash.add(member->name);
      hash.add(member->descriptor);
    }
  }
}

}  // namespace

std::uint64_t content_of(const classfile::ClassFile& file, std::uint64_t variant) {
  Hash hash(variant);
  for (const classfile::Method& method : file.methods()) {
    for (const classfile::Attribute& each : method.attributes) {
      if (file.pool().is_utf8(each.name, "Code")) {
        hash.add(each.content);
      }
    }
    if (const auto code = file.code_of(method)) {
      add_members(file.pool(), code->bytes, hash);
    }
    hash.add(file.pool().whole(method.name));
    hash.add(file.pool().whole(method.descriptor));
  }
  return hash.value();
}

}  // namespace jvmdebug::agent::by_pattern
