// SPDX-License-Identifier: Apache-2.0
#include "classfile/code_flow.h"

#include <algorithm>

#include "classfile/bytecode.h"
#include "classfile/opcodes.h"

namespace jvmdebug::classfile {
namespace {

using Bytes = std::span<const std::uint8_t>;

std::int64_t number(Bytes code, std::size_t at, std::size_t bytes) {
  std::uint32_t bits = (code[at] & 0x80U) != 0 ? ~0U : 0U;
  for (const std::uint8_t byte : code.subspan(at, bytes)) {
    bits = (bits << 8U) | byte;
  }
  return static_cast<std::int32_t>(bits);
}

bool is_branch(std::uint8_t opcode) {
  return (opcode >= kIfEq && opcode <= kJsr) || opcode == kIfNull || opcode == kIfNonNull;
}

bool is_switch(std::uint8_t opcode) {
  return opcode == kTableSwitch || opcode == kLookupSwitch;
}

// Calls `jump` with each target of the instruction.
template <class Jump>
void for_each_target(Bytes code, std::size_t at, std::size_t size, Jump jump) {
  const std::uint8_t opcode = code[at];
  const auto from = static_cast<std::int64_t>(at);
  if (is_branch(opcode)) {
    jump(from + number(code, at + 1, 2));
  } else if (opcode == kGotoW || opcode == kJsrW) {
    jump(from + number(code, at + 1, kWord));
  } else if (is_switch(opcode)) {
    const std::size_t operands = (at / kWord + 1) * kWord;
    jump(from + number(code, operands, kWord));
    const bool is_table = opcode == kTableSwitch;
    // The offsets follow low and high one by one, or follow the count as the second of each pair.
    const std::size_t first = operands + 3 * kWord;
    for (std::size_t entry = first; entry < at + size; entry += (is_table ? 1 : 2) * kWord) {
      jump(from + number(code, entry, kWord));
    }
  }
}

class Flow {
 public:
  explicit Flow(Bytes code) : code_(code), reached_(code.size()), target_(code.size()) {}

  [[nodiscard]] std::vector<std::size_t> exception_blocks() {
    if (!read()) {
      return {};
    }
    reach(0);
    std::vector<std::size_t> blocks;
    bool fell_through = true;
    for (std::size_t at = 0; at < code_.size(); at += instruction_size(code_, at)) {
      if (!reached_[at] && (!fell_through || target_[at])) {
        blocks.push_back(at);
      }
      fell_through = falls_through(code_, at);
    }
    return blocks;
  }

 private:
  // Marks the targets of jumps; false for code that no verifier accepts.
  bool read() {
    bool well_formed = true;
    for (std::size_t at = 0; at < code_.size() && well_formed;) {
      const std::size_t size = instruction_size(code_, at);
      well_formed = size != 0;
      if (well_formed) {
        for_each_target(code_, at, size, [&](std::int64_t to) {
          if (to < 0 || static_cast<std::size_t>(to) >= code_.size()) {
            well_formed = false;
          } else {
            target_[static_cast<std::size_t>(to)] = true;
          }
        });
      }
      at += size;
    }
    return well_formed;
  }

  void reach(std::size_t first) {
    std::vector<std::size_t> waiting{first};
    while (!waiting.empty()) {
      const std::size_t at = waiting.back();
      waiting.pop_back();
      if (at >= code_.size() || reached_[at]) {
        continue;
      }
      reached_[at] = true;
      const std::size_t size = instruction_size(code_, at);
      if (size == 0) {
        continue;  // a jump into the middle of an instruction
      }
      for_each_target(code_, at, size, [&](std::int64_t to) {
        if (to >= 0) {
          waiting.push_back(static_cast<std::size_t>(to));
        }
      });
      if (falls_through(code_, at)) {
        waiting.push_back(at + size);
      }
    }
  }

  Bytes code_;
  std::vector<bool> reached_;
  std::vector<bool> target_;
};

}  // namespace

bool falls_through(Bytes code, std::size_t at) {
  const std::uint8_t opcode = code[at];
  const bool leaves = (opcode >= kRet && opcode <= kReturn) || opcode == kAthrow ||
                      opcode == kGoto || opcode == kGotoW ||
                      (opcode == kWide && code[at + 1] == kRet);
  return !leaves;
}

std::vector<std::size_t> exception_blocks(std::span<const std::uint8_t> code) {
  return Flow(code).exception_blocks();
}

bool only_exceptions_lead_to(std::span<const std::uint8_t> code, std::size_t at) {
  return std::ranges::binary_search(exception_blocks(code), at);
}

bool is_invoke(std::span<const std::uint8_t> code, std::size_t at) {
  return at < code.size() && code[at] >= kInvokeVirtual && code[at] <= kInvokeDynamic;
}

bool is_invokespecial(std::span<const std::uint8_t> code, std::size_t at) {
  return at < code.size() && code[at] == kInvokeSpecial;
}

std::optional<std::size_t> next_instruction(std::span<const std::uint8_t> code, std::size_t at) {
  const std::size_t size = instruction_size(code, at);
  if (size == 0 || at + size >= code.size() || is_branch(code[at]) || !falls_through(code, at) ||
      code[at] == kJsrW) {
    return std::nullopt;
  }
  return at + size;
}

}  // namespace jvmdebug::classfile
