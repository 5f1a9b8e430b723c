// SPDX-License-Identifier: Apache-2.0
#include "classfile/straight_code.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "classfile/bytecode.h"
#include "classfile/instructions.h"
#include "classfile/opcodes.h"
#include "classfile/recorded_kinds.h"

namespace jvmdebug::classfile {
namespace {

constexpr std::uint8_t kSipush = 17;
constexpr std::uint8_t kPop = 87;
constexpr std::uint8_t kSwap = 95;
constexpr std::uint8_t kIdiv = 108;
constexpr std::uint8_t kLdiv = 109;
constexpr std::uint8_t kIrem = 112;
constexpr std::uint8_t kLrem = 113;
constexpr std::uint8_t kDcmpg = 152;

// Whether an instruction stores another reference into slot 0.
bool replaces_this(const Code& code, const std::vector<std::size_t>& all) {
  return std::ranges::any_of(all, [&](std::size_t at) {
    const std::uint8_t opcode = code.bytes[at];
    return opcode == kAstore0 || (opcode == kAstore && code.bytes[at + 1] == 0) ||
           (opcode == kWide && code.bytes[at + 1] == kAstore);
  });
}

}  // namespace

StraightCode::StraightCode(const ClassFile& file, const Method& method, const Code& code)
    : file_(file), code_(code) {
  const auto all = instructions(code.bytes);
  const bool has_this = !is_static(method) && !replaces_this(code, all);
  for (std::size_t number = 0; number < all.size(); ++number) {
    const std::size_t at = all[number];
    const std::size_t next = number + 1 < all.size() ? all[number + 1] : code.bytes.size();
    for (const BranchOffset& each : branch_offsets(code.bytes, at, next - at)) {
      entered_.insert(static_cast<std::size_t>(static_cast<std::int64_t>(at) + each.offset));
    }
    if (has_this && code.bytes[at] == kAload0) {
      reads_this_.insert(next);
    }
  }
  for (const ExceptionHandler& each : code.handlers) {
    entered_.insert(each.handler);
  }
}

bool StraightCode::only_continues(std::size_t at) const {
  const std::uint8_t opcode = code_.bytes[at];
  if (opcode >= kLdc && opcode <= kLdc2W) {
    return loads_plain_constant(at);
  }
  if (opcode == kGetField) {
    return reads_own_field(at);
  }
  if (opcode == kWide) {
    return code_.bytes[at + 1] != kRet;
  }
  const bool divides = opcode == kIdiv || opcode == kLdiv || opcode == kIrem || opcode == kLrem;
  return opcode <= kSipush || (opcode > kLdc2W && opcode <= kAload3) ||
         (opcode >= kIstore && opcode <= kAstore3) || (opcode >= kPop && opcode <= kSwap) ||
         (opcode > kSwap && opcode <= kDcmpg && !divides);
}

// Constants that the VM looks up, or makes by code of the program, are not plain.
bool StraightCode::loads_plain_constant(std::size_t at) const {
  const bool is_short = code_.bytes[at] == kLdc;
  const Constant kind =
      file_.pool().kind(is_short ? code_.bytes[at + 1] : operand_at(code_.bytes, at + 1));
  return kind == Constant::kInteger || kind == Constant::kFloat || kind == Constant::kLong ||
         kind == Constant::kDouble || kind == Constant::kString;
}

// A field of `this`, which is not null.
bool StraightCode::reads_own_field(std::size_t at) const {
  if (!reads_this_.contains(at) || is_entered(at)) {
    return false;
  }
  const auto member = file_.pool().member(operand_at(code_.bytes, at + 1));
  return member && member->owner == file_.name();
}

}  // namespace jvmdebug::classfile
