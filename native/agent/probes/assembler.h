// SPDX-License-Identifier: Apache-2.0
//
// The code of one method of a class that the agent makes: instructions, jumps to labels, operands
// in the constant pool. Does not verify what it is given. Errors are kept until the end.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <vector>

#include "agent/probes/constant_pool.h"
#include "agent/probes/rewrite_error.h"

namespace jvmdebug::agent::probes {

class Assembler {
 public:
  explicit Assembler(ConstantPool& pool) : pool_(pool) {}

  // Where jumps go; used by this assembler only.
  struct Label {
    std::size_t number = 0;
  };

  [[nodiscard]] Label label();
  void place(Label label);

  // Instructions whose operands are bytes, or that have none.
  void add(std::initializer_list<std::uint8_t> bytes);
  void jump(std::uint8_t opcode, Label target);
  void member(std::uint8_t opcode, const MemberReference& member);
  void type(std::uint8_t opcode, std::string_view name);

  // The bytes of the instructions; all labels that are jumped to have been placed.
  [[nodiscard]] Rewritten<std::vector<std::uint8_t>> take();

 private:
  struct Jump {
    std::size_t from = 0;
    Label target;
  };

  void add_index(std::uint8_t opcode, const Rewritten<std::uint16_t>& index);
  void add_short(std::size_t value);

  ConstantPool& pool_;
  std::vector<std::uint8_t> bytes_;
  std::vector<std::size_t> places_;  // by label
  std::vector<Jump> jumps_;
  std::optional<RewriteError> error_;
};

}  // namespace jvmdebug::agent::probes
