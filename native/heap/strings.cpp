// SPDX-License-Identifier: Apache-2.0
#include "heap/strings.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace jvmdebug::heap {
namespace {

void append_utf8(std::string& to, char32_t point) {
  constexpr char32_t kTwo = 0x80;
  constexpr char32_t kThree = 0x800;
  constexpr char32_t kFour = 0x10000;
  const auto rest = [&](unsigned shift) {
    to.push_back(static_cast<char>(0x80U | ((point >> shift) & 0x3FU)));
  };
  if (point < kTwo) {
    to.push_back(static_cast<char>(point));
  } else if (point < kThree) {
    to.push_back(static_cast<char>(0xC0U | (point >> 6U)));
    rest(0);
  } else if (point < kFour) {
    to.push_back(static_cast<char>(0xE0U | (point >> 12U)));
    rest(6);
    rest(0);
  } else {
    to.push_back(static_cast<char>(0xF0U | (point >> 18U)));
    rest(12);
    rest(6);
    rest(0);
  }
}

bool is_high(char32_t unit) {
  return unit >= 0xD800 && unit < 0xDC00;
}

bool is_low(char32_t unit) {
  return unit >= 0xDC00 && unit < 0xE000;
}

// Converts units to UTF-8; a lone surrogate becomes U+FFFD.
template <class UnitAt>
std::string utf8_of(std::size_t count, const UnitAt& unit_at) {
  constexpr char32_t kReplacement = 0xFFFD;
  std::string text;
  for (std::size_t index = 0; index < count; ++index) {
    const char32_t unit = unit_at(index);
    if (is_high(unit) && index + 1 < count && is_low(unit_at(index + 1))) {
      const char32_t low = unit_at(++index);
      append_utf8(text, 0x10000U + ((unit - 0xD800U) << 10U) + (low - 0xDC00U));
    } else {
      append_utf8(text, is_high(unit) || is_low(unit) ? kReplacement : unit);
    }
  }
  return text;
}

}  // namespace

Strings::Strings(const Dump& dump) : dump_(dump) {
  const auto& classes = dump.classes();
  const auto found = std::ranges::find_if(classes, [](const ClassOf& type) {
    return type.name == "java.lang.String" && type.is_known;
  });
  if (found == classes.end()) {
    return;
  }
  class_ = static_cast<std::uint32_t>(found - classes.begin());
  value_ = dump.field(class_, "value");
  coder_ = dump.field(class_, "coder");
}

std::optional<Strings::Value> Strings::value(Object object) const {
  if (!is_string(object) || !value_.found) {
    return std::nullopt;
  }
  const auto fields = dump_.contents(object);
  if (value_.offset + dump_.id_size() > fields.size() || coder_.offset >= fields.size()) {
    return std::nullopt;
  }
  const Object array = dump_.find(dump_.id_at(&fields[value_.offset]));
  if (array == kNone || dump_.shape_of(array) != Shape::kPrimitiveArray) {
    return std::nullopt;
  }
  Value found{.array = array, .contents = dump_.contents(array)};
  if (found.contents.empty() && dump_.length_of(array) > 0) {
    return std::nullopt;
  }
  const bool has_chars = dump_.element_type(array) == BasicType::kChar;
  found.is_big_endian = has_chars;  // chars are big-endian as in HPROF; bytes are in the VM's order
  found.is_wide = has_chars || (coder_.found && fields[coder_.offset] != 0);
  return found;
}

std::optional<Strings::Text> Strings::text(Object object, std::size_t most) const {
  const auto found = value(object);
  if (!found) {
    return std::nullopt;
  }
  const auto bytes = found->contents;
  if (!found->is_wide) {
    const std::size_t count = std::min(most, bytes.size());
    return Text{.utf8 = utf8_of(count, [&](std::size_t at) -> char32_t { return bytes[at]; }),
                .length = bytes.size()};
  }
  const std::size_t length = bytes.size() / 2;
  const std::size_t high = found->is_big_endian ? 0 : 1;
  const auto unit_at = [&](std::size_t at) -> char32_t {
    return (static_cast<char32_t>(bytes[2 * at + high]) << 8U) | bytes[2 * at + 1 - high];
  };
  return Text{.utf8 = utf8_of(std::min(most, length), unit_at), .length = length};
}

std::vector<Strings::Duplicate> Strings::duplicates(std::size_t most,
                                                    const Progress& progress) const {
  std::array<std::unordered_map<std::string_view, Duplicate>, 2> by_text;  // narrow, wide
  std::vector<bool> seen(dump_.object_count());                            // arrays
  for (Object object = 0; object < dump_.object_count(); ++object) {
    if (object % kBetweenReports == 0 && progress &&
        !progress(static_cast<double>(object) / static_cast<double>(dump_.object_count()))) {
      throw CancelledError();
    }
    const auto found = value(object);
    if (!found) {
      continue;
    }
    // A text is in Latin-1 whenever possible, so equal texts have equal bytes.
    const std::string_view key(reinterpret_cast<const char*>(found->contents.data()),
                               found->contents.size());
    Duplicate& entry = by_text[found->is_wide ? 1 : 0][key];
    if (entry.first == kNone) {
      entry.first = object;
      seen[found->array] = true;
    } else {
      entry.wasted += dump_.shallow_size(object);
      if (!seen[found->array]) {
        seen[found->array] = true;
        entry.wasted += dump_.shallow_size(found->array);
      }
    }
    ++entry.count;
  }
  std::vector<Duplicate> all;
  for (const auto& texts : by_text) {
    for (const auto& [text, entry] : texts) {
      if (entry.count > 1) {
        all.push_back(entry);
      }
    }
  }
  std::ranges::sort(all, [](const Duplicate& left, const Duplicate& right) {
    return std::pair(right.wasted, left.first) < std::pair(left.wasted, right.first);
  });
  all.resize(std::min(all.size(), most));
  return all;
}

}  // namespace jvmdebug::heap
