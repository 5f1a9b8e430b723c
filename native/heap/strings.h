// SPDX-License-Identifier: Apache-2.0
//
// The java.lang.String objects of a dump: their texts, and which are equal. Supports the layouts of
// JDK 8 (char[]) and of 9 and later (byte[] and a coder). A dump without contents has no texts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "heap/dump.h"

namespace jvmdebug::heap {

class Strings {
 public:
  explicit Strings(const Dump& dump);

  [[nodiscard]] bool is_string(Object object) const {
    return class_ != kNone && dump_.class_index(object) == class_;
  }

  struct Text {
    std::string utf8;
    std::size_t length = 0;  // in UTF-16 units, of the whole string
  };

  // Returns the first `most` units of a string. Empty if the object is not a string or has no
  // contents.
  [[nodiscard]] std::optional<Text> text(Object object, std::size_t most) const;

  struct Duplicate {
    Object first = kNone;
    std::uint64_t count = 0;
    std::uint64_t wasted = 0;  // bytes that would be saved if there were one string
  };

  // Returns texts that more than one string has, those that waste most first.
  [[nodiscard]] std::vector<Duplicate> duplicates(std::size_t most, const Progress& progress) const;

 private:
  struct Value {
    Object array = kNone;
    std::span<const std::uint8_t> contents;
    bool is_wide = false;  // two bytes for each unit
    bool is_big_endian = false;
  };

  [[nodiscard]] std::optional<Value> value(Object object) const;

  const Dump& dump_;
  std::uint32_t class_ = kNone;
  Dump::Place value_;
  Dump::Place coder_;
};

}  // namespace jvmdebug::heap
