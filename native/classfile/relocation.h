// SPDX-License-Identifier: Apache-2.0
//
// Computes how the instructions of a method move when code is inserted in front of some of them.
// Jumps to such an instruction, and exception handlers that begin there, lead to the inserted code;
// so do line numbers and the ranges of variables, which a debugger sees. Works without a class
// file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <vector>

namespace jvmdebug::classfile {

// What the verifier knows where an instruction begins with an empty operand stack: the types of the
// local variables, as in a stack map frame.
struct KnownLocals {
  std::uint16_t count = 0;
  std::vector<std::uint8_t> types;
};

// A branch of inserted code to an instruction of the method. Around it, the code may branch to its
// own end.
struct InsertedJump {
  std::size_t at = 0;           // the position of a goto_w in the inserted code
  std::size_t target = 0;       // the index of the instruction, behind what is inserted there
  std::uint16_t stack_map = 0;  // the constant "StackMapTable"
  KnownLocals at_start;         // where the method begins, and at the end of the inserted code
  KnownLocals at_target;
};

// Local variables that inserted code has added to a method, and a handler of all that the method
// throws, unless that has no code. The first insertion of the method gives the variables their
// values.
struct AddedVariables {
  std::uint16_t first = 0;      // the slot of the first one, which no other inserted code uses
  KnownLocals types;            // of each, in one slot
  std::uint16_t stack_map = 0;  // the constant "StackMapTable"
  KnownLocals at_start;         // the program's variables where the method begins
  // Code behind the end of the method, with the exception on the operand stack; it falls nowhere.
  // `covered_from`: the index of the first instruction whose exceptions it gets. An exception
  // between `guarded` and `guarded_end` of the code itself leads to `guard` in it, where `saved`
  // are the types behind those of the variables.
  std::vector<std::uint8_t> handler;
  std::size_t covered_from = 0;
  std::size_t guarded = 0;
  std::size_t guarded_end = 0;
  std::size_t guard = 0;
  KnownLocals saved;
  std::uint16_t exception = 0;  // the constant java/lang/Throwable
};

// Code to put in front of the instruction at an index of the code. It falls through, has no branch
// but `jump`, and leaves the operand stack as it was.
struct Insertion {
  std::size_t index = 0;
  std::vector<std::uint8_t> code;
  std::uint16_t stack = 0;   // slots that it needs above the current depth
  std::uint16_t locals = 0;  // slots that the method must have at least
  // Only for the first insertion at the first instruction.
  std::shared_ptr<const InsertedJump> jump = nullptr;
  // Whether only the instruction before leads here, or the beginning of the method: jumps to the
  // instruction, and exceptions, do not.
  bool only_falls = false;
  std::shared_ptr<const AddedVariables> variables = nullptr;
  bool uses_variables = false;  // `locals` counts such variables, and slots behind them
};

class Relocation {
 public:
  Relocation(std::size_t code_size, std::span<const Insertion> insertions) : size_(code_size) {
    for (const Insertion& insertion : insertions) {
      Added& added = places_[insertion.index];
      (insertion.only_falls ? added.fallen : added.met) += padded(insertion.code.size());
      if (insertion.variables) {
        behind_ = padded(insertion.variables->handler.size());
      }
    }
    for (auto& [index, added] : places_) {
      added.before = added_;
      added_ += added.fallen + added.met;
    }
  }

  // Inserted code is padded to a multiple of 4, so that the padding of switches stays as it is.
  [[nodiscard]] static std::size_t padded(std::size_t length) { return (length + 3) / 4 * 4; }

  [[nodiscard]] std::size_t old_size() const { return size_; }

  // The size without what is behind the end of the method.
  [[nodiscard]] std::size_t moved_size() const { return size_ + added_; }

  [[nodiscard]] std::size_t new_size() const { return size_ + added_ + behind_; }

  // Returns where jumps to the instruction now go: to the code inserted in front of it. An index
  // behind the end stays there.
  [[nodiscard]] std::size_t target(std::size_t index) const {
    const auto next = places_.lower_bound(index);
    if (next == places_.end()) {
      return index + added_;
    }
    return index + next->second.before + (next->first == index ? next->second.fallen : 0);
  }

  // Returns where the instruction itself is now.
  [[nodiscard]] std::size_t instruction(std::size_t index) const {
    const auto next = places_.upper_bound(index);
    return index + (next == places_.end() ? added_ : next->second.before);
  }

 private:
  // Bytes that are inserted at an instruction: those that jumps do not lead to, and the others
  // behind them.
  struct Added {
    std::size_t fallen = 0;
    std::size_t met = 0;
    std::size_t before = 0;  // what is inserted at instructions before it
  };

  std::size_t size_;
  std::size_t added_ = 0;
  std::size_t behind_ = 0;
  std::map<std::size_t, Added> places_;  // by the index of the instruction
};

}  // namespace jvmdebug::classfile
