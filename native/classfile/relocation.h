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

// Code to put in front of the instruction at an index of the code. It falls through, has no branch
// but `jump`, and leaves the operand stack as it was.
struct Insertion {
  std::size_t index = 0;
  std::vector<std::uint8_t> code;
  std::uint16_t stack = 0;   // slots that it needs above the current depth
  std::uint16_t locals = 0;  // slots that the method must have at least
  // Only for the first insertion at the first instruction.
  std::shared_ptr<const InsertedJump> jump = nullptr;
};

class Relocation {
 public:
  Relocation(std::size_t code_size, std::span<const Insertion> insertions) : size_(code_size) {
    for (const Insertion& insertion : insertions) {
      lengths_[insertion.index] += padded(insertion.code.size());
    }
    std::size_t added = 0;
    for (const auto& [index, length] : lengths_) {
      before_.emplace(index, added);
      added += length;
    }
    added_ = added;
  }

  // Inserted code is padded to a multiple of 4, so that the padding of switches stays as it is.
  [[nodiscard]] static std::size_t padded(std::size_t length) { return (length + 3) / 4 * 4; }

  [[nodiscard]] std::size_t old_size() const { return size_; }

  [[nodiscard]] std::size_t new_size() const { return size_ + added_; }

  // Returns where jumps to the instruction now go: to the code inserted in front of it. An index
  // behind the end stays there.
  [[nodiscard]] std::size_t target(std::size_t index) const {
    const auto next = before_.lower_bound(index);
    return index + (next == before_.end() ? added_ : next->second);
  }

  // Returns where the instruction itself is now.
  [[nodiscard]] std::size_t instruction(std::size_t index) const {
    const auto next = before_.upper_bound(index);
    return index + (next == before_.end() ? added_ : next->second);
  }

 private:
  std::size_t size_;
  std::size_t added_ = 0;
  std::map<std::size_t, std::size_t> lengths_;
  std::map<std::size_t, std::size_t> before_;  // by index of an insertion: bytes added before it
};

}  // namespace jvmdebug::classfile
