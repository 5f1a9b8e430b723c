// SPDX-License-Identifier: Apache-2.0
#include "agent/probes/assembler.h"

#include <utility>

namespace jvmdebug::agent::probes {

Assembler::Label Assembler::label() {
  places_.push_back(0);
  return {.number = places_.size() - 1};
}

void Assembler::place(Label label) {
  places_[label.number] = bytes_.size();
}

void Assembler::add(std::initializer_list<std::uint8_t> bytes) {
  bytes_.insert(bytes_.end(), bytes);
}

void Assembler::jump(std::uint8_t opcode, Label target) {
  jumps_.push_back({.from = bytes_.size(), .target = target});
  bytes_.push_back(opcode);
  add_short(0);
}

void Assembler::member(std::uint8_t opcode, const MemberReference& member) {
  add_index(opcode, pool_.add_member(member));
}

void Assembler::type(std::uint8_t opcode, std::string_view name) {
  add_index(opcode, pool_.add_class(name));
}

Rewritten<std::vector<std::uint8_t>> Assembler::take() {
  if (error_) {
    return std::unexpected(*error_);
  }
  for (const Jump& jump : jumps_) {
    // Modulo 2^16, as offsets are signed.
    const std::size_t offset = places_[jump.target.number] - jump.from;
    bytes_[jump.from + 1] = static_cast<std::uint8_t>(offset >> 8U);
    bytes_[jump.from + 2] = static_cast<std::uint8_t>(offset);
  }
  return std::move(bytes_);
}

void Assembler::add_index(std::uint8_t opcode, const Rewritten<std::uint16_t>& index) {
  if (!index) {
    error_ = index.error();
  }
  bytes_.push_back(opcode);
  add_short(index.value_or(0));
}

void Assembler::add_short(std::size_t value) {
  bytes_.push_back(static_cast<std::uint8_t>(value >> 8U));
  bytes_.push_back(static_cast<std::uint8_t>(value));
}

}  // namespace jvmdebug::agent::probes
