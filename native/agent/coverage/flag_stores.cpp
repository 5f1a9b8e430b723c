// SPDX-License-Identifier: Apache-2.0
#include "agent/coverage/flag_stores.h"

#include <algorithm>
#include <array>
#include <ranges>
#include <string_view>
#include <utility>

#include "agent/code/class_insertions.h"
#include "agent/coverage/flag_blocks.h"
#include "agent/jvm/result.h"
#include "classfile/assembler.h"
#include "classfile/code_map.h"
#include "classfile/emitted_opcodes.h"
#include "classfile/opcodes.h"
#include "classfile/recorded_kinds.h"

namespace jvmdebug::agent::coverage {
namespace {

namespace op = classfile::op;
using classfile::CoverageSite;
using ByteVector = std::vector<std::uint8_t>;

constexpr unsigned kByteBits = 8;
constexpr int kHalfBits = 16;

// What a conditional branch compares, and the method that compares the same.
struct Comparison {
  std::string_view name;
  std::string_view operands;
};

constexpr std::string_view kInt = "I";
constexpr std::string_view kInts = "II";
constexpr std::string_view kObject = "Ljava/lang/Object;";
constexpr std::string_view kObjects = "Ljava/lang/Object;Ljava/lang/Object;";

constexpr std::array kComparisons = {
    Comparison{.name = "eq", .operands = kInt},     Comparison{.name = "ne", .operands = kInt},
    Comparison{.name = "lt", .operands = kInt},     Comparison{.name = "ge", .operands = kInt},
    Comparison{.name = "gt", .operands = kInt},     Comparison{.name = "le", .operands = kInt},
    Comparison{.name = "eq", .operands = kInts},    Comparison{.name = "ne", .operands = kInts},
    Comparison{.name = "lt", .operands = kInts},    Comparison{.name = "ge", .operands = kInts},
    Comparison{.name = "gt", .operands = kInts},    Comparison{.name = "le", .operands = kInts},
    Comparison{.name = "eq", .operands = kObjects}, Comparison{.name = "ne", .operands = kObjects},
};

Comparison comparison_of(std::uint8_t opcode) {
  if (opcode == classfile::kIfNull || opcode == classfile::kIfNonNull) {
    return {.name = opcode == classfile::kIfNull ? "eq" : "ne", .operands = kObject};
  }
  return kComparisons[opcode - classfile::kIfEq];
}

// The code of one store: one of the public functions is called, once.
class Store {
 public:
  Store(classfile::ConstantPool& pool, const std::string& owner) : owner_(owner), code_(pool) {}

  classfile::Rewritten<ByteVector> reached(std::size_t flag) {
    push_flag(flag);
    code_.add({op::kIconst1, op::kBastore});
    return take();
  }

  classfile::Rewritten<ByteVector> jump(std::uint8_t opcode, std::size_t flag) {
    const Comparison compared = comparison_of(opcode);
    const bool is_two = compared.operands == kInts || compared.operands == kObjects;
    code_.add({is_two ? op::kDup2 : op::kDup});
    push_flag(flag);
    call(compared.name, "(" + std::string(compared.operands) + "[BI)V");
    return take();
  }

  classfile::Rewritten<ByteVector> table(const classfile::Switch& operands, std::size_t flag) {
    code_.add({op::kDup});
    push(operands.keys.empty() ? 0 : operands.keys.front());
    push(static_cast<std::int32_t>(operands.keys.size()));
    push_flag(flag);
    call("table", "(III[BI)V");
    return take();
  }

  // Writes the keys in pieces: the length of one in code units fits into a byte.
  classfile::Rewritten<ByteVector> lookup(const classfile::Switch& operands, std::size_t flag) {
    constexpr std::size_t kKeysOfPiece = 20;
    ByteVector all;
    code_.add({op::kIconst0});  // whether a key before was the value
    std::size_t keys = 0;
    for (const std::int32_t key : operands.keys) {
      if (++keys % kKeysOfPiece == 0) {
        JVMDEBUG_ASSIGN(const ByteVector piece, take());
        all.insert(all.end(), piece.begin(), piece.end());
      }
      code_.add({op::kDup2, op::kPop});
      push(key);
      push_flag(flag++);
      call("look", "(II[BI)V");
      code_.add({op::kDup2});
      push(key);
      call("found", "(III)I");
      code_.add({op::kSwap, op::kPop});
    }
    push_flag(flag);
    call("otherwise", "(I[BI)V");
    JVMDEBUG_ASSIGN(const ByteVector last, take());
    all.insert(all.end(), last.begin(), last.end());
    return all;
  }

 private:
  void push_flag(std::size_t flag) {
    code_.member(classfile::kGetStatic, {.kind = classfile::Constant::kField,
                                         .owner = owner_,
                                         .name = FlagBlocks::kField,
                                         .descriptor = "[B"});
    push_short(static_cast<std::uint16_t>(flag));
  }

  void push_short(std::uint16_t value) {
    code_.add({op::kSipush, static_cast<std::uint8_t>(value >> kByteBits),
               static_cast<std::uint8_t>(value)});
  }

  // Pushes a number without a constant, see portable_insertion.h.
  void push(std::int32_t value) {
    const auto low = static_cast<std::int16_t>(value);
    if (value == low) {
      push_short(static_cast<std::uint16_t>(low));
      return;
    }
    const std::int64_t high = (static_cast<std::int64_t>(value) - low) >> kHalfBits;
    push_short(static_cast<std::uint16_t>(high));
    code_.add({op::kBipush, kHalfBits, op::kIshl});
    push_short(static_cast<std::uint16_t>(low));
    code_.add({op::kIadd});
  }

  void call(std::string_view name, std::string descriptor) {
    code_.member(op::kInvokeStatic, {.kind = classfile::Constant::kMethod,
                                     .owner = kHelperClass,
                                     .name = std::string(name),
                                     .descriptor = std::move(descriptor)});
  }

  classfile::Rewritten<ByteVector> take() {
    JVMDEBUG_ASSIGN(const ByteVector made, code_.take());
    return classfile::marked_probe(classfile::kFlagStore, made);
  }

  const std::string& owner_;
  classfile::Assembler code_;
};

classfile::Rewritten<ByteVector> store_of(const CoverageSite& site, const classfile::Code& code,
                                          Store store, std::size_t flag) {
  if (site.kind == CoverageSite::Kind::kReached) {
    return store.reached(flag);
  }
  const std::uint8_t opcode = code.bytes[site.index];
  if (site.kind == CoverageSite::Kind::kJump) {
    return store.jump(opcode, flag);
  }
  const classfile::Switch operands = classfile::read_switch(code.bytes, site.index);
  return opcode == classfile::kTableSwitch ? store.table(operands, flag)
                                           : store.lookup(operands, flag);
}

}  // namespace

std::size_t MethodSites::flags() const {
  std::size_t count = 0;
  for (const CoverageSite& each : sites) {
    count += each.flags;
  }
  return count;
}

ClassSites sites_of(const classfile::ClassFile& file, bool has_branches) {
  ClassSites result;
  const auto methods = file.methods();
  for (std::size_t number = 0; number < methods.size(); ++number) {
    const auto code = file.code_of(methods[number]);
    if (!code) {
      continue;
    }
    MethodSites of{.number = number,
                   .name = code::full_name(file, methods[number]),
                   .first = result.flags,
                   .sites = {}};
    of.sites = classfile::coverage_sites(code->bytes, code->handlers,
                                         classfile::lines_in(file, *code), has_branches);
    for (const CoverageSite& each : of.sites) {
      result.flags += each.flags;
    }
    if (!of.sites.empty()) {
      result.methods.push_back(std::move(of));
    }
  }
  return result;
}

classfile::Rewritten<std::vector<classfile::Insertion>> flag_stores(
    classfile::ClassFile& file, const classfile::Method& method, const MethodSites& sites,
    const std::string& owner, std::size_t first, const std::vector<bool>& gone) {
  constexpr std::uint16_t kDeepest = 5;  // of a key of a lookupswitch
  JVMDEBUG_ASSIGN(const classfile::Code code, file.code_of(method));
  std::vector<classfile::Insertion> all;
  std::size_t next = sites.first;
  for (const CoverageSite& each : sites.sites) {
    const std::size_t flag = std::exchange(next, next + each.flags);
    if (next <= gone.size() && std::ranges::all_of(std::views::iota(flag, next),
                                                   [&](std::size_t at) { return gone[at]; })) {
      continue;
    }
    classfile::Rewritten<ByteVector> made =
        store_of(each, code, Store(file.pool(), owner), first + flag);
    if (!made) {
      return std::unexpected(made.error());
    }
    const auto stack = each.kind == CoverageSite::Kind::kReached ? std::uint16_t{3} : kDeepest;
    all.push_back({.index = each.index, .code = *std::move(made), .stack = stack});
  }
  return all;
}

}  // namespace jvmdebug::agent::coverage
