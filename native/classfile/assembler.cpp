// SPDX-License-Identifier: Apache-2.0
#include "classfile/assembler.h"

#include <utility>

namespace jvmdebug::classfile {

void Assembler::add(std::initializer_list<std::uint8_t> bytes) {
  bytes_.insert(bytes_.end(), bytes);
}

void Assembler::member(std::uint8_t opcode, const MemberReference& member) {
  const auto index = pool_.add_member(member);
  if (!index) {
    error_ = index.error();
  }
  const std::uint16_t number = index.value_or(0);
  bytes_.push_back(opcode);
  bytes_.push_back(static_cast<std::uint8_t>(number >> 8U));
  bytes_.push_back(static_cast<std::uint8_t>(number));
}

Rewritten<std::vector<std::uint8_t>> Assembler::take() {
  if (error_) {
    return std::unexpected(*error_);
  }
  return std::exchange(bytes_, {});
}

}  // namespace jvmdebug::classfile
