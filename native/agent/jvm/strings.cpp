// SPDX-License-Identifier: Apache-2.0
#include "agent/jvm/strings.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>

namespace jvmdebug::agent::jvm {
namespace {

constexpr char32_t kReplacement = 0xFFFD;
constexpr char32_t kFirstSupplementary = 0x10000;
constexpr char32_t kLastCodePoint = 0x10FFFF;

constexpr bool is_high_surrogate(char32_t unit) {
  return unit >= 0xD800 && unit <= 0xDBFF;
}

constexpr bool is_low_surrogate(char32_t unit) {
  return unit >= 0xDC00 && unit <= 0xDFFF;
}

constexpr char32_t joined(char32_t high, char32_t low) {
  return kFirstSupplementary + ((high - 0xD800) << 10U) + (low - 0xDC00);
}

// Writes one to four bytes; a surrogate becomes three. Returns the position of the next byte.
char* write_utf8(char* to, char32_t code_point) {
  const auto tail = [&](unsigned shift) {
    *to++ = static_cast<char>(0x80U | ((code_point >> shift) & 0x3FU));
  };
  if (code_point < 0x80) {
    *to++ = static_cast<char>(code_point);
  } else if (code_point < 0x800) {
    *to++ = static_cast<char>(0xC0U | (code_point >> 6U));
    tail(0);
  } else if (code_point < kFirstSupplementary) {
    *to++ = static_cast<char>(0xE0U | (code_point >> 12U));
    tail(6);
    tail(0);
  } else {
    *to++ = static_cast<char>(0xF0U | (code_point >> 18U));
    tail(12);
    tail(6);
    tail(0);
  }
  return to;
}

void append_utf8(std::string& out, char32_t code_point) {
  std::array<char, 4> bytes{};
  out.append(bytes.data(), write_utf8(bytes.data(), code_point));
}

struct Decoded {
  char32_t code_point = kReplacement;
  std::size_t length = 1;  // bytes taken
};

// Decodes one sequence of UTF-8. Three-byte surrogates are accepted; C0 80 is U+0000 (modified
// UTF-8); anything else that is malformed gives U+FFFD and consumes one byte.
Decoded decode(std::string_view text) {
  const auto byte = [&](std::size_t index) { return static_cast<std::uint8_t>(text[index]); };
  const auto tail = [&](std::size_t index) -> std::optional<char32_t> {
    if (index >= text.size() || (byte(index) & 0xC0U) != 0x80U) {
      return std::nullopt;
    }
    return byte(index) & 0x3FU;
  };
  const char32_t lead = byte(0);
  if (lead < 0x80) {
    return {lead, 1};
  }
  if ((lead & 0xE0U) == 0xC0U) {
    const auto second = tail(1);
    const char32_t code_point = ((lead & 0x1FU) << 6U) | second.value_or(0);
    if (second && (code_point >= 0x80 || code_point == 0)) {
      return {code_point, 2};
    }
  } else if ((lead & 0xF0U) == 0xE0U) {
    const auto second = tail(1);
    const auto third = tail(2);
    const char32_t code_point =
        ((lead & 0x0FU) << 12U) | (second.value_or(0) << 6U) | third.value_or(0);
    if (second && third && code_point >= 0x800) {
      return {code_point, 3};
    }
  } else if ((lead & 0xF8U) == 0xF0U) {
    const auto second = tail(1);
    const auto third = tail(2);
    const auto fourth = tail(3);
    const char32_t code_point = ((lead & 0x07U) << 18U) | (second.value_or(0) << 12U) |
                                (third.value_or(0) << 6U) | fourth.value_or(0);
    if (second && third && fourth && code_point >= kFirstSupplementary &&
        code_point <= kLastCodePoint) {
      return {code_point, 4};
    }
  }
  return {};
}

// Whether the next four units are all ASCII, as most are.
bool are_four_ascii(std::span<const char16_t> units, std::size_t index) {
  constexpr std::uint64_t kBeyondAscii = 0xFF80'FF80'FF80'FF80U;
  if (index + 4 > units.size()) {
    return false;
  }
  std::uint64_t four = 0;
  std::memcpy(&four, &units[index], sizeof four);
  return (four & kBeyondAscii) == 0;
}

bool is_ascii(std::string_view text) {
  for (const char unit : text) {
    if ((static_cast<std::uint8_t>(unit) & 0x80U) != 0) {
      return false;
    }
  }
  return true;
}

}  // namespace

std::string utf8_from_modified(std::string_view modified) {
  if (is_ascii(modified)) {
    return std::string(modified);
  }
  std::string out;
  out.reserve(modified.size());
  while (!modified.empty()) {
    const Decoded first = decode(modified);
    modified.remove_prefix(first.length);
    if (is_high_surrogate(first.code_point) && !modified.empty()) {
      const Decoded second = decode(modified);
      if (is_low_surrogate(second.code_point)) {
        modified.remove_prefix(second.length);
        append_utf8(out, joined(first.code_point, second.code_point));
        continue;
      }
    }
    append_utf8(out, first.code_point);
  }
  return out;
}

std::string modified_from_utf8(std::string_view utf8) {
  if (is_ascii(utf8) && utf8.find('\0') == std::string_view::npos) {
    return std::string(utf8);
  }
  std::string out;
  out.reserve(utf8.size() + utf8.size() / 2);
  while (!utf8.empty()) {
    const Decoded next = decode(utf8);
    utf8.remove_prefix(next.length);
    if (next.code_point == 0) {
      out.append("\xC0\x80", 2);
    } else if (next.code_point >= kFirstSupplementary) {
      const char32_t offset = next.code_point - kFirstSupplementary;
      append_utf8(out, 0xD800 + (offset >> 10U));
      append_utf8(out, 0xDC00 + (offset & 0x3FFU));
    } else {
      append_utf8(out, next.code_point);
    }
  }
  return out;
}

void append_utf16(std::string& out, std::span<const char16_t> units) {
  constexpr std::size_t kPiece = 1024;
  // At most three bytes for a unit, or four for two units, of which one may be in the next piece;
  // and the last four ASCII units may begin with the last unit of this piece.
  std::array<char, 3 * kPiece + 4> bytes;  // NOLINT(*-member-init): only what is written is read
  for (std::size_t index = 0; index < units.size();) {
    char* to = bytes.data();
    const std::size_t end = std::min(units.size(), index + kPiece);
    while (index < end) {
      if (are_four_ascii(units, index)) {
        for (const char16_t unit : units.subspan(index, 4)) {
          *to++ = static_cast<char>(unit);
        }
        index += 4;
        continue;
      }
      const char32_t unit = units[index++];
      if (is_high_surrogate(unit) && index < units.size() && is_low_surrogate(units[index])) {
        to = write_utf8(to, joined(unit, units[index++]));
      } else {
        to = write_utf8(to, unit);
      }
    }
    out.append(bytes.data(), to);
  }
}

std::string utf8_from_utf16(std::span<const char16_t> units) {
  std::string out;
  out.reserve(units.size());
  append_utf16(out, units);
  return out;
}

std::u16string utf16_from_utf8(std::string_view utf8) {
  std::u16string out;
  out.reserve(utf8.size());
  while (!utf8.empty()) {
    const Decoded next = decode(utf8);
    utf8.remove_prefix(next.length);
    if (next.code_point >= kFirstSupplementary) {
      const char32_t offset = next.code_point - kFirstSupplementary;
      out.push_back(static_cast<char16_t>(0xD800 + (offset >> 10U)));
      out.push_back(static_cast<char16_t>(0xDC00 + (offset & 0x3FFU)));
    } else {
      out.push_back(static_cast<char16_t>(next.code_point));
    }
  }
  return out;
}

}  // namespace jvmdebug::agent::jvm
