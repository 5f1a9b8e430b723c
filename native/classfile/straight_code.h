// SPDX-License-Identifier: Apache-2.0
//
// Says of the instructions of a method whether control can only run on to the next one. What is
// noted before such instructions may as well be noted behind them: nothing can be seen in between.
#pragma once

#include <cstddef>
#include <set>

#include "classfile/class_file.h"
#include "classfile/code.h"

namespace jvmdebug::classfile {

class StraightCode {
 public:
  StraightCode(const ClassFile& file, const Method& method, const Code& code);

  // Whether control may come to the instruction from elsewhere than from the one in front of it.
  [[nodiscard]] bool is_entered(std::size_t at) const { return entered_.contains(at); }

  // Whether the next instruction runs after this one, and no other code in between: it does not
  // throw, call or load classes. Of errors of the VM itself (no memory, no stack) nothing is said.
  [[nodiscard]] bool only_continues(std::size_t at) const;

 private:
  [[nodiscard]] bool loads_plain_constant(std::size_t at) const;
  [[nodiscard]] bool reads_own_field(std::size_t at) const;

  const ClassFile& file_;
  const Code& code_;
  std::set<std::size_t> entered_;
  std::set<std::size_t> reads_this_;  // instructions behind `aload_0`
};

}  // namespace jvmdebug::classfile
