// SPDX-License-Identifier: Apache-2.0
#include "classfile/code_attributes.h"

#include <algorithm>
#include <cstddef>

#include "classfile/stack_map.h"
#include "codec/reader.h"

namespace jvmdebug::classfile {
namespace {

// Changes the indices in attributes in place. In the tables for debuggers indices have two bytes
// and are at the beginning of entries of equal size.
class InPlace {
 public:
  InPlace(std::span<const std::uint8_t> content, const Relocation& relocation)
      : original_(content), moved_(content.begin(), content.end()), relocation_(relocation) {}

  void line_numbers() {
    constexpr std::size_t kEntry = 4;
    for_each_entry(kEntry, [this](std::size_t at) { move_target(at); });
  }

  // Moves start and length of a range.
  void variables() {
    constexpr std::size_t kEntry = 10;
    for_each_entry(kEntry, [this](std::size_t at) { move_range(at); });
  }

  // Moves the first and the last index of a range.
  void character_ranges() {
    constexpr std::size_t kEntry = 14;
    for_each_entry(kEntry, [this](std::size_t at) {
      move_target(at);
      // The last byte of the instruction before the next one.
      write(at + 2, target(number(at + 2) + 1) - 1);
    });
  }

  void type_annotations();

  std::vector<std::uint8_t> take() { return std::move(moved_); }

 private:
  template <class Entry>
  void for_each_entry(std::size_t size, Entry entry) {
    if (original_.size() < 2 || original_.size() - 2 < number(0) * size) {
      return;
    }
    for (std::size_t left = number(0), at = 2; left > 0; --left, at += size) {
      entry(at);
    }
  }

  [[nodiscard]] std::size_t number(std::size_t at) const {
    return original_[at] * 256U + original_[at + 1];
  }

  [[nodiscard]] std::size_t target(std::size_t index) const {
    return relocation_.target(std::min(index, relocation_.old_size()));
  }

  void write(std::size_t at, std::size_t value) {
    moved_[at] = static_cast<std::uint8_t>(value >> 8U);
    moved_[at + 1] = static_cast<std::uint8_t>(value);
  }

  void move_target(std::size_t at) { write(at, target(number(at))); }

  void move_instruction(std::size_t at) {
    if (number(at) < relocation_.old_size()) {
      write(at, relocation_.instruction(number(at)));
    }
  }

  void move_range(std::size_t at) {
    const std::size_t start = number(at);
    const std::size_t end = start + number(at + 2);
    write(at, target(start));
    write(at + 2, target(end) - target(start));
  }

  [[nodiscard]] std::size_t position(const codec::Reader& reader) const {
    return original_.size() - reader.remaining();
  }

  void annotation(codec::Reader& reader);
  void annotation_target(codec::Reader& reader);

  std::span<const std::uint8_t> original_;
  std::vector<std::uint8_t> moved_;
  const Relocation& relocation_;
};

// JVM specification, 4.7.20: the kinds of locations of a type in the code.
constexpr std::uint8_t kLocalVariable = 0x40;
constexpr std::uint8_t kResource = 0x41;
constexpr std::uint8_t kCatch = 0x42;
constexpr std::uint8_t kFirstOffset = 0x43;  // instanceof, new, two kinds of method reference
constexpr std::uint8_t kLastOffset = 0x46;
constexpr std::uint8_t kLastArgument = 0x4B;  // casts and arguments of types: an offset, a number

void InPlace::annotation_target(codec::Reader& reader) {
  const auto type = static_cast<std::uint8_t>(reader.read_unsigned(1));
  if (type == kLocalVariable || type == kResource) {
    const std::size_t count = reader.read_unsigned_short();
    for (std::size_t entry = 0; entry < count && !reader.failed(); ++entry) {
      const std::size_t at = position(reader);
      (void)reader.read_span(6);
      if (!reader.failed()) {
        move_range(at);
      }
    }
  } else if (type >= kFirstOffset && type <= kLastArgument) {
    const std::size_t at = position(reader);
    (void)reader.read_span(type <= kLastOffset ? 2 : 3);
    if (!reader.failed()) {
      move_instruction(at);
    }
  } else {
    // The entry of a catch holds the number of its handler; other kinds do not occur in code.
    (void)reader.read_unsigned_short();
    if (type != kCatch) {
      reader.fail(protocol::Error::kInternal);
    }
  }
}

constexpr int kDeepestAnnotation = 32;

void skip_pairs(codec::Reader& reader, int depth);

void skip_value(codec::Reader& reader, int depth) {
  if (depth > kDeepestAnnotation) {
    reader.fail(protocol::Error::kInternal);
    return;
  }
  switch (reader.read_unsigned(1)) {
    case 'e':
      (void)reader.read_span(4);
      break;
    case '@':
      (void)reader.read_unsigned_short();
      skip_pairs(reader, depth + 1);
      break;
    case '[':
      for (std::size_t left = reader.read_unsigned_short(); left > 0 && !reader.failed(); --left) {
        skip_value(reader, depth + 1);
      }
      break;
    default:
      (void)reader.read_unsigned_short();
      break;
  }
}

void skip_pairs(codec::Reader& reader, int depth) {
  for (std::size_t left = reader.read_unsigned_short(); left > 0 && !reader.failed(); --left) {
    (void)reader.read_unsigned_short();
    skip_value(reader, depth);
  }
}

void InPlace::annotation(codec::Reader& reader) {
  annotation_target(reader);
  (void)reader.read_span(2 * static_cast<std::size_t>(reader.read_unsigned(1)));  // its path
  (void)reader.read_unsigned_short();                                             // its type
  skip_pairs(reader, 0);
}

void InPlace::type_annotations() {
  codec::Reader reader(original_);
  for (std::size_t left = reader.read_unsigned_short(); left > 0 && !reader.failed(); --left) {
    annotation(reader);
  }
  if (reader.failed()) {
    moved_.assign(original_.begin(), original_.end());
  }
}

}  // namespace

Rewritten<std::vector<std::uint8_t>> move_attribute(std::string_view name,
                                                    std::span<const std::uint8_t> content,
                                                    const Relocation& relocation) {
  if (name == "StackMapTable") {
    return move_stack_map(content, relocation);
  }
  InPlace moved(content, relocation);
  if (name == "LineNumberTable") {
    moved.line_numbers();
  } else if (name == "LocalVariableTable" || name == "LocalVariableTypeTable") {
    moved.variables();
  } else if (name == "CharacterRangeTable") {
    moved.character_ranges();
  } else if (name == "RuntimeVisibleTypeAnnotations" || name == "RuntimeInvisibleTypeAnnotations") {
    moved.type_annotations();
  }
  return moved.take();
}

}  // namespace jvmdebug::classfile
