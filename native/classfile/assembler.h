// SPDX-License-Identifier: Apache-2.0
//
// Assembles code to insert into a method: instructions, with operands in the constant pool. Does
// not verify its input. Errors are kept until the end.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <vector>

#include "classfile/constant_pool.h"
#include "classfile/rewrite_error.h"

namespace jvmdebug::classfile {

class Assembler {
 public:
  explicit Assembler(ConstantPool& pool) : pool_(pool) {}

  // Adds instructions whose operands are bytes, or that have none.
  void add(std::initializer_list<std::uint8_t> bytes);
  void member(std::uint8_t opcode, const MemberReference& member);

  // Returns the bytes of the instructions since the last call, or the first error.
  [[nodiscard]] Rewritten<std::vector<std::uint8_t>> take();

 private:
  ConstantPool& pool_;
  std::vector<std::uint8_t> bytes_;
  std::optional<RewriteError> error_;
};

}  // namespace jvmdebug::classfile
