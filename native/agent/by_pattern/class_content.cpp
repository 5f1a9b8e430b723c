// SPDX-License-Identifier: Apache-2.0
#include "agent/by_pattern/class_content.h"

#include <span>

namespace jvmdebug::agent::by_pattern {

std::uint64_t content_of(const classfile::ClassFile& file, std::uint64_t variant) {
  constexpr std::uint64_t kBasis = 0xCBF29CE484222325U;
  constexpr std::uint64_t kPrime = 0x100000001B3U;
  std::uint64_t hash = kBasis + variant;
  const auto add = [&](std::span<const std::uint8_t> bytes) {
    for (const std::uint8_t byte : bytes) {
      hash = (hash ^ byte) * kPrime;
    }
  };
  for (const classfile::Method& method : file.methods()) {
    for (const classfile::Attribute& each : method.attributes) {
      if (file.pool().is_utf8(each.name, "Code")) {
        add(each.content);
      }
    }
    add(file.pool().whole(method.name));
    add(file.pool().whole(method.descriptor));
  }
  return hash;
}

}  // namespace jvmdebug::agent::by_pattern
