// SPDX-License-Identifier: Apache-2.0
#include "classfile/handler_flow.h"

#include <algorithm>
#include <iterator>

#include "classfile/bytecode.h"
#include "classfile/code_flow.h"
#include "classfile/instructions.h"
#include "classfile/opcodes.h"

namespace jvmdebug::classfile {
namespace {

using Bytes = std::span<const std::uint8_t>;

// Returns the variable of an instruction with that opcode, or with one of the four short forms.
int variable(Bytes code, std::size_t at, std::uint8_t opcode, std::uint8_t first,
             std::uint8_t last) {
  if (code[at] >= first && code[at] <= last) {
    return code[at] - first;
  }
  if (code[at] == opcode) {
    return code[at + 1];
  }
  if (code[at] == kWide && code[at + 1] == opcode) {
    return code[at + 2] * 256 + code[at + 3];
  }
  return -1;
}

}  // namespace

int stored_variable(Bytes code, std::size_t at) {
  return variable(code, at, kAstore, kAstore0, kAstore3);
}

int loaded_variable(Bytes code, std::size_t at) {
  return variable(code, at, kAload, kAload0, kAload3);
}

std::vector<std::size_t> reachable(Bytes code, std::size_t from) {
  std::vector<bool> reached(code.size());
  std::vector<std::size_t> waiting{from};
  std::vector<std::size_t> found;
  while (!waiting.empty()) {
    const std::size_t at = waiting.back();
    waiting.pop_back();
    const std::size_t size = instruction_size(code, at);
    if (size == 0) {
      return {};
    }
    if (reached[at]) {
      continue;
    }
    reached[at] = true;
    found.push_back(at);
    for (const BranchOffset& branch : branch_offsets(code, at, size)) {
      const std::int64_t target = static_cast<std::int64_t>(at) + branch.offset;
      if (target < 0) {
        return {};
      }
      waiting.push_back(static_cast<std::size_t>(target));
    }
    if (falls_through(code, at)) {
      waiting.push_back(at + size);
    }
  }
  std::ranges::sort(found);
  return found;
}

int pushed_variable(Bytes code, std::size_t at) {
  const auto all = instructions(code);
  const auto here = std::ranges::lower_bound(all, at);
  if (here == all.begin() || here == all.end() || *here != at) {
    return -1;
  }
  return loaded_variable(code, *std::prev(here));
}

std::vector<std::size_t> rethrow_sites(Bytes code, std::size_t handler) {
  if (instruction_size(code, handler) == 0) {
    return {};
  }
  if (code[handler] == kAthrow) {
    return {handler};
  }
  const int caught = stored_variable(code, handler);
  std::vector<std::size_t> found =
      caught < 0 ? std::vector<std::size_t>{} : reachable(code, handler);
  std::erase_if(found, [&](std::size_t at) {
    return code[at] != kAthrow || pushed_variable(code, at) != caught;
  });
  return found;
}

bool only_rethrows(Bytes code, std::size_t handler) {
  if (instruction_size(code, handler) == 0) {
    return false;
  }
  if (code[handler] == kAthrow) {
    return true;
  }
  const int caught = stored_variable(code, handler);
  if (caught < 0) {
    return false;
  }
  const auto flow = reachable(code, handler);
  const bool leaves_otherwise = std::ranges::any_of(flow, [&](std::size_t at) {
    const std::uint8_t opcode = code[at];
    return (opcode >= kIreturn && opcode <= kReturn) || opcode == kRet ||
           (at != handler && stored_variable(code, at) == caught) ||
           (opcode == kAthrow && pushed_variable(code, at) != caught);
  });
  return !leaves_otherwise &&
         std::ranges::any_of(flow, [&](std::size_t at) { return code[at] == kAthrow; });
}

}  // namespace jvmdebug::classfile
