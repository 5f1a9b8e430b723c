// SPDX-License-Identifier: Apache-2.0
#include "classfile/bytecode.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

#include "classfile/opcodes.h"

namespace jvmdebug::classfile {
namespace {

// A range of opcodes (JVM specification, chapter 6): up to `last`, beginning after the previous
// range.
struct Range {
  std::uint8_t last;
  std::uint8_t size;
};

constexpr std::array kSizes = {
    Range{.last = 15, .size = 1},   // nop … dconst_1
    Range{.last = 16, .size = 2},   // bipush
    Range{.last = 17, .size = 3},   // sipush
    Range{.last = 18, .size = 2},   // ldc
    Range{.last = 20, .size = 3},   // ldc_w, ldc2_w
    Range{.last = 25, .size = 2},   // iload … aload
    Range{.last = 53, .size = 1},   // iload_0 … saload
    Range{.last = 58, .size = 2},   // istore … astore
    Range{.last = 131, .size = 1},  // istore_0 … lxor
    Range{.last = 132, .size = 3},  // iinc
    Range{.last = 152, .size = 1},  // i2l … dcmpg
    Range{.last = 168, .size = 3},  // ifeq … jsr
    Range{.last = 169, .size = 2},  // ret
    Range{.last = 171, .size = 0},  // tableswitch, lookupswitch: see switch_size
    Range{.last = 177, .size = 1},  // ireturn … return
    Range{.last = 184, .size = 3},  // getstatic … invokestatic
    Range{.last = 186, .size = 5},  // invokeinterface, invokedynamic
    Range{.last = 187, .size = 3},  // new
    Range{.last = 188, .size = 2},  // newarray
    Range{.last = 189, .size = 3},  // anewarray
    Range{.last = 191, .size = 1},  // arraylength, athrow
    Range{.last = 193, .size = 3},  // checkcast, instanceof
    Range{.last = 195, .size = 1},  // monitorenter, monitorexit
    Range{.last = 196, .size = 4},  // wide, except iinc
    Range{.last = 197, .size = 4},  // multianewarray
    Range{.last = 199, .size = 3},  // ifnull, ifnonnull
    Range{.last = 201, .size = 5},  // goto_w, jsr_w
    Range{.last = 255, .size = 0},
};

// Sizes by opcode.
constexpr auto kSizeOf = [] {
  std::array<std::uint8_t, 256> sizes{};
  for (std::size_t opcode = 0; const Range& range : kSizes) {
    for (; opcode <= range.last; ++opcode) {
      sizes[opcode] = range.size;
    }
  }
  return sizes;
}();

constexpr std::string_view kStored = "IJFDA";
constexpr std::size_t kWideIincSize = 6;

std::int64_t word(std::span<const std::uint8_t> code, std::size_t at) {
  std::uint32_t bits = 0;
  for (const std::uint8_t byte : code.subspan(at, kWord)) {
    bits = (bits << 8U) | byte;
  }
  return static_cast<std::int32_t>(bits);
}

// Returns the size of a switch. Its operands begin at a multiple of 4: the default, then low, high
// and an offset for each, or a count and that many pairs.
std::size_t switch_size(std::span<const std::uint8_t> code, std::size_t at) {
  const bool is_table = code[at] == kTableSwitch;
  const std::size_t operands = (at / kWord + 1) * kWord;
  const std::size_t fixed = is_table ? 3 * kWord : 2 * kWord;
  if (operands + fixed > code.size()) {
    return 0;
  }
  const std::int64_t low = word(code, operands + kWord);
  const std::int64_t entries = is_table ? word(code, operands + 2 * kWord) - low + 1 : 2 * low;
  if (entries < 0 || static_cast<std::size_t>(entries) > code.size() / kWord) {
    return 0;
  }
  return operands + fixed + static_cast<std::size_t>(entries) * kWord - at;
}

struct Store {
  char type = 'I';
  std::int32_t slot = 0;
};

// Reads the store that begins at `at`; its operands must be inside the code.
std::optional<Store> store_at(std::span<const std::uint8_t> code, std::size_t at) {
  const bool wide = code[at] == kWide;
  const std::uint8_t opcode = code[wide ? at + 1 : at];
  if (opcode < kIstore || opcode > kAstore3) {
    return std::nullopt;
  }
  if (opcode >= kIstore0) {
    const int number = opcode - kIstore0;
    return Store{kStored[static_cast<std::size_t>(number / 4)], number % 4};
  }
  const char type = kStored[static_cast<std::size_t>(opcode - kIstore)];
  return Store{type, wide ? code[at + 2] * 256 + code[at + 3] : code[at + 1]};
}

}  // namespace

std::size_t instruction_size(std::span<const std::uint8_t> code, std::size_t at) {
  if (at >= code.size()) {
    return 0;
  }
  const std::uint8_t opcode = code[at];
  std::size_t size = kSizeOf[opcode];
  if (opcode == kTableSwitch || opcode == kLookupSwitch) {
    size = switch_size(code, at);
  } else if (opcode == kWide && at + 1 < code.size() && code[at + 1] == kIinc) {
    size = kWideIincSize;
  }
  return size <= code.size() - at ? size : 0;
}

bool begins_instruction(std::span<const std::uint8_t> code, std::int64_t index) {
  if (index < 0 || static_cast<std::uint64_t>(index) >= code.size()) {
    return false;
  }
  const auto wanted = static_cast<std::size_t>(index);
  std::size_t at = 0;
  while (at < wanted) {
    const std::size_t size = instruction_size(code, at);
    if (size == 0) {
      return false;
    }
    at += size;
  }
  return at == wanted;
}

std::string stores_into(std::span<const std::uint8_t> code, std::int32_t slot) {
  std::string found;
  for (std::size_t at = 0, size = 0; (size = instruction_size(code, at)) != 0; at += size) {
    const auto store = store_at(code, at);
    if (!store) {
      continue;
    }
    const bool two_slots = store->type == 'J' || store->type == 'D';
    if (store->slot == slot) {
      found += store->type;
    } else if (two_slots && store->slot + 1 == slot) {
      found += '-';
    }
  }
  return found;
}

}  // namespace jvmdebug::classfile
