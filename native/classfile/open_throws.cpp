// SPDX-License-Identifier: Apache-2.0
#include "classfile/open_throws.h"

#include <algorithm>
#include <iterator>

#include "classfile/bytecode.h"
#include "classfile/code_flow.h"
#include "classfile/handler_flow.h"
#include "classfile/instructions.h"
#include "classfile/opcodes.h"

namespace jvmdebug::classfile {
namespace {

using Bytes = std::span<const std::uint8_t>;

constexpr std::uint8_t kNop = 0;
constexpr std::uint8_t kAconstNull = 1;
constexpr std::uint8_t kDup = 89;

// Limits of the search; what needs more counts as doubtful.
constexpr int kMostSteps = 100'000;
constexpr int kDeepest = 32;

// Searches backwards from an instruction that throws to the one that has put the exception on the
// stack.
class Origins {
 public:
  Origins(Bytes code, std::span<const ExceptionHandler> handlers,
          const IsConstructor& is_constructor)
      : code_(code), handlers_(handlers), is_constructor_(is_constructor) {}

  // Reads the code; false if it is malformed or has subroutines.
  [[nodiscard]] bool read() {
    last_edge_.assign(code_.size(), kNoEdge);
    edges_.reserve(code_.size());
    for (std::size_t at = 0; at < code_.size();) {
      const std::size_t size = instruction_size(code_, at);
      if (size == 0 || code_[at] == kJsr || code_[at] == kJsrW) {
        return false;
      }
      for (const BranchOffset& branch : branch_offsets(code_, at, size)) {
        const auto target = static_cast<std::size_t>(static_cast<std::int64_t>(at) + branch.offset);
        if (target >= code_.size()) {
          return false;
        }
        add_edge(at, target);
      }
      if (falls_through(code_, at) && at + size < code_.size()) {
        add_edge(at, at + size);
      }
      at += size;
    }
    return true;
  }

  // Whether the topmost operand there was constructed or caught in this method on all paths.
  [[nodiscard]] bool is_own_operand(std::size_t at) { return is_own_operand(at, 0); }

 private:
  static constexpr std::uint32_t kNoEdge = UINT32_MAX;

  // A transfer of control from one instruction to another.
  struct Edge {
    std::uint32_t from = 0;
    std::uint32_t next = kNoEdge;  // the next edge to the same instruction
  };

  void add_edge(std::size_t from, std::size_t to) {
    edges_.push_back({.from = static_cast<std::uint32_t>(from), .next = last_edge_[to]});
    last_edge_[to] = static_cast<std::uint32_t>(edges_.size() - 1);
  }

  // Whether `holds` is true for all instructions from which control comes to one.
  template <class Holds>
  [[nodiscard]] bool all_before(std::size_t at, Holds holds) const {
    for (std::uint32_t edge = last_edge_[at]; edge != kNoEdge; edge = edges_[edge].next) {
      if (!holds(std::size_t{edges_[edge].from})) {
        return false;
      }
    }
    return true;
  }

  [[nodiscard]] bool is_own_operand(std::size_t at, int depth) {
    if (depth > kDeepest || ++steps_ > kMostSteps) {
      return false;
    }
    return all_before(at, [&](std::size_t from) {
      switch (code_[from]) {
        case kInvokeSpecial:
          return is_constructor_(from);
        case kAconstNull:
          return true;
        case kNop:
        case kDup:
        case kCheckCast:
        case kGoto:
        case kGotoW:
          return is_own_operand(from, depth + 1);
        default:
          const int slot = loaded_variable(code_, from);
          return slot >= 0 && is_own_variable(from, slot, depth + 1);
      }
    });
  }

  [[nodiscard]] bool is_own_variable(std::size_t at, int slot, int depth) {
    std::vector<bool> seen(code_.size());
    std::vector<std::size_t> waiting{at};
    while (!waiting.empty()) {
      const std::size_t here = waiting.back();
      waiting.pop_back();
      if (here == 0 || ++steps_ > kMostSteps) {
        return false;  // a parameter
      }
      if (seen[here]) {
        continue;
      }
      seen[here] = true;
      const bool is_own = all_before(here, [&](std::size_t from) {
        if (stored_variable(code_, from) != slot) {
          waiting.push_back(from);
          return true;
        }
        return is_own_operand(from, depth);
      });
      if (!is_own) {
        return false;
      }
      add_covered(here, waiting);
    }
    return true;
  }

  // Adds the instructions from which an exception leads to the handler that begins here.
  void add_covered(std::size_t handler, std::vector<std::size_t>& waiting) {
    for (const ExceptionHandler& each : handlers_) {
      if (each.handler != handler) {
        continue;
      }
      const std::size_t end = std::min(std::size_t{each.end}, code_.size());
      for (std::size_t at = each.start, size = 1; at < end && size != 0; at += size) {
        waiting.push_back(at);
        ++steps_;
        size = instruction_size(code_, at);
      }
    }
  }

  Bytes code_;
  std::span<const ExceptionHandler> handlers_;
  const IsConstructor& is_constructor_;
  std::vector<Edge> edges_;
  std::vector<std::uint32_t> last_edge_;  // by index: the newest edge to it
  int steps_ = 0;
};

// Returns the throws that do not follow a constructor call, or to which control may jump.
std::vector<std::size_t> doubtful_throws(Bytes code, const IsConstructor& is_constructor) {
  std::vector<std::size_t> found;
  std::vector<bool> is_target(code.size());
  std::vector<std::size_t> by_constructor;
  std::size_t before = code.size();
  for (const std::size_t at : instructions(code)) {
    if (code[at] == kAthrow) {
      const bool is_made =
          before < code.size() && code[before] == kInvokeSpecial && is_constructor(before);
      (is_made ? by_constructor : found).push_back(at);
    }
    for (const BranchOffset& branch : branch_offsets(code, at, instruction_size(code, at))) {
      const auto target = static_cast<std::size_t>(static_cast<std::int64_t>(at) + branch.offset);
      if (target < code.size()) {
        is_target[target] = true;
      }
    }
    before = at;
  }
  std::ranges::copy_if(by_constructor, std::back_inserter(found),
                       [&](std::size_t at) { return is_target[at]; });
  std::ranges::sort(found);
  return found;
}

}  // namespace

std::vector<std::size_t> open_throws(Bytes code, std::span<const ExceptionHandler> handlers,
                                     const IsConstructor& is_constructor) {
  auto found = doubtful_throws(code, is_constructor);
  Origins origins(code, handlers, is_constructor);
  if (!found.empty() && origins.read()) {
    std::erase_if(found, [&](std::size_t at) { return origins.is_own_operand(at); });
  }
  return found;
}

}  // namespace jvmdebug::classfile
