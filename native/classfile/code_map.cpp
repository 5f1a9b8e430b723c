// SPDX-License-Identifier: Apache-2.0
#include "classfile/code_map.h"

#include <algorithm>

#include "classfile/bytecode.h"
#include "classfile/instructions.h"
#include "classfile/opcodes.h"

namespace jvmdebug::classfile {
namespace {

// A probe begins with sipush, a number whose lower byte counts words of 4 bytes, and pop: an unused
// value. A second such value is the number of the probe.
constexpr std::uint8_t kSipush = 17;
constexpr std::uint8_t kMark = 0x4A;
constexpr std::uint8_t kMarkOfMore = 0x4B;  // its code is not a single call
constexpr std::uint8_t kPopValue = 87;
constexpr std::uint8_t kNothing = 0;
constexpr std::size_t kMarkSize = 8;
constexpr std::size_t kCallSize = 3;
constexpr std::size_t kMostWords = 255;

// Returns the size of the probe that begins here, 0 if there is none.
std::size_t probe_at(std::span<const std::uint8_t> code, std::size_t at) {
  if (code.size() - at < kMarkSize + kCallSize || code[at] != kSipush ||
      (code[at + 1] != kMark && code[at + 1] != kMarkOfMore) || code[at + 3] != kPopValue ||
      code[at + 4] != kSipush || code[at + 7] != kPopValue) {
    return 0;
  }
  const std::size_t size = code[at + 2] * kWord;
  if (size < kMarkSize + kCallSize || size > code.size() - at) {
    return 0;
  }
  const bool sets_flags = code[at + 5] * 256U + code[at + 6] == kFlagStore;
  const bool calls_once = code[at + 1] == kMark && !sets_flags;
  bool has_called = sets_flags;
  std::size_t next = at + kMarkSize;
  while (next < at + size) {
    const std::uint8_t opcode = code[next];
    if (calls_once && has_called && opcode != kNothing) {
      return 0;
    }
    has_called |= opcode == kInvokeStatic;
    const std::size_t length = instruction_size(code, next);
    if (length == 0) {
      return 0;
    }
    next += length;
  }
  return has_called && next == at + size ? size : 0;
}

void write_offset(std::vector<std::uint8_t>& code, std::size_t at, std::size_t width,
                  std::int64_t offset) {
  auto bits = static_cast<std::uint64_t>(offset);
  for (std::size_t byte = width; byte-- > 0; bits >>= 8U) {
    code[at + byte] = static_cast<std::uint8_t>(bits);
  }
}

}  // namespace

namespace {

Rewritten<std::vector<std::uint8_t>> marked(std::uint8_t mark, std::uint16_t number,
                                            std::span<const std::uint8_t> code) {
  const std::size_t words = (kMarkSize + code.size() + kWord - 1) / kWord;
  if (words > kMostWords) {
    return std::unexpected(RewriteError::kCodeTooLong);
  }
  std::vector<std::uint8_t> probe{kSipush,
                                  mark,
                                  static_cast<std::uint8_t>(words),
                                  kPopValue,
                                  kSipush,
                                  static_cast<std::uint8_t>(number >> 8U),
                                  static_cast<std::uint8_t>(number),
                                  kPopValue};
  probe.insert(probe.end(), code.begin(), code.end());
  probe.resize(words * kWord, kNothing);
  return probe;
}

}  // namespace

Rewritten<std::vector<std::uint8_t>> marked_probe(std::uint16_t number,
                                                  std::span<const std::uint8_t> code) {
  return marked(kMark, number, code);
}

Rewritten<std::vector<std::uint8_t>> marked_code(std::uint16_t number,
                                                 std::span<const std::uint8_t> code) {
  return marked(kMarkOfMore, number, code);
}

std::optional<CodeMap> CodeMap::read(std::span<const std::uint8_t> code) {
  CodeMap map;
  std::int64_t before = 0;
  for (std::size_t at = 0; at < code.size();) {
    if (const std::size_t size = probe_at(code, at); size != 0) {
      const auto length = static_cast<std::int64_t>(size);
      map.probes_.push_back(
          {.at = static_cast<std::int64_t>(at),
           .size = length,
           .before = before,
           .number = static_cast<std::uint16_t>(code[at + 5] * 256U + code[at + 6])});
      before += length;
      at += size;
      continue;
    }
    const std::size_t size = instruction_size(code, at);
    if (size == 0) {
      return std::nullopt;
    }
    at += size;
  }
  if (map.probes_.empty()) {
    return std::nullopt;
  }
  return map;
}

std::int64_t CodeMap::original(std::int64_t index) const {
  const auto after = std::ranges::upper_bound(probes_, index, {}, &Probe::at);
  if (after == probes_.begin()) {
    return index;
  }
  const Probe& last = *std::prev(after);
  return (index < last.at + last.size ? last.at : index - last.size) - last.before;
}

std::int64_t CodeMap::instruction(std::int64_t original) const {
  std::int64_t index = original;
  for (const Probe& probe : probes_) {
    if (probe.at > index) {
      break;
    }
    index += probe.size;
  }
  return index;
}

bool CodeMap::is_in_probe(std::int64_t index) const {
  const auto after = std::ranges::upper_bound(probes_, index, {}, &Probe::at);
  return after != probes_.begin() && index < std::prev(after)->at + std::prev(after)->size;
}

std::vector<std::uint16_t> CodeMap::probes_at(std::int64_t original) const {
  std::vector<std::uint16_t> numbers;
  for (const Probe& probe : probes_) {
    if (probe.at - probe.before == original) {
      numbers.push_back(probe.number);
    }
  }
  return numbers;
}

bool CodeMap::has(std::uint16_t number) const {
  return std::ranges::find(probes_, number, &Probe::number) != probes_.end();
}

std::vector<std::uint8_t> CodeMap::strip(std::span<const std::uint8_t> code) const {
  std::vector<std::uint8_t> stripped;
  for (std::size_t at = 0; at < code.size();) {
    if (is_in_probe(static_cast<std::int64_t>(at))) {
      ++at;
      continue;
    }
    const std::size_t size = instruction_size(code, at);
    if (size == 0) {
      return {};
    }
    const std::size_t to = stripped.size();
    const auto bytes = code.subspan(at, size);
    stripped.insert(stripped.end(), bytes.begin(), bytes.end());
    for (const BranchOffset& branch : branch_offsets(code, at, size)) {
      const std::int64_t target = original(static_cast<std::int64_t>(at) + branch.offset);
      write_offset(stripped, to + (branch.at - at), branch.width,
                   target - static_cast<std::int64_t>(to));
    }
    at += size;
  }
  return stripped;
}

}  // namespace jvmdebug::classfile
