// SPDX-License-Identifier: Apache-2.0
//
// The compound values of the wire: locations, tagged objects, values, array regions. They hold the
// contents of the bytes and are independent of the JVM.
#pragma once

#include <bit>
#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

#include "codec/generated/constants.h"
#include "codec/ids.h"

namespace jvmdebug::protocol {

// A location in code. `index` is the code index, -1 in a native method. All zero: no location.
struct Location {
  TypeTag tag = TypeTag::kClass;
  ReferenceTypeId type_id;
  MethodId method_id;
  std::int64_t index = 0;

  bool operator==(const Location&) const = default;
};

// An object and what kind of object it is; id 0 is null.
struct TaggedObject {
  Tag tag = Tag::kObject;
  ObjectId id;

  bool operator==(const TaggedObject&) const = default;
};

// True for the tags whose values are object ids.
[[nodiscard]] constexpr bool is_object(Tag tag) {
  switch (tag) {
    case Tag::kArray:
    case Tag::kObject:
    case Tag::kString:
    case Tag::kThread:
    case Tag::kThreadGroup:
    case Tag::kClassLoader:
    case Tag::kClassObject:
      return true;
    default:
      return false;
  }
}

// Returns the size in bytes of an untagged value of this tag, 8 for object ids; nothing if there is
// no such tag.
[[nodiscard]] constexpr std::optional<std::uint32_t> untagged_size(Tag tag) {
  switch (tag) {
    case Tag::kVoid:
      return 0;
    case Tag::kBoolean:
    case Tag::kByte:
      return 1;
    case Tag::kChar:
    case Tag::kShort:
      return 2;
    case Tag::kInt:
    case Tag::kFloat:
      return 4;
    case Tag::kLong:
    case Tag::kDouble:
      return 8;
    default:
      return is_object(tag) ? std::optional<std::uint32_t>(8) : std::nullopt;
  }
}

// A value with its type. `bits` is the value as on the wire, extended with zeros to 64 bits, so
// that two values are equal when their bytes are (a NaN too).
struct Value {
  Tag tag = Tag::kVoid;
  std::uint64_t bits = 0;

  static constexpr Value of_void() { return {}; }

  static constexpr Value of_boolean(bool value) { return {Tag::kBoolean, value ? 1U : 0U}; }

  static constexpr Value of_byte(std::int8_t value) {
    return {Tag::kByte, static_cast<std::uint8_t>(value)};
  }

  static constexpr Value of_char(std::uint16_t value) { return {Tag::kChar, value}; }

  static constexpr Value of_short(std::int16_t value) {
    return {Tag::kShort, static_cast<std::uint16_t>(value)};
  }

  static constexpr Value of_int(std::int32_t value) {
    return {Tag::kInt, static_cast<std::uint32_t>(value)};
  }

  static constexpr Value of_long(std::int64_t value) {
    return {Tag::kLong, static_cast<std::uint64_t>(value)};
  }

  static constexpr Value of_float(float value) {
    return {Tag::kFloat, std::bit_cast<std::uint32_t>(value)};
  }

  static constexpr Value of_double(double value) {
    return {Tag::kDouble, std::bit_cast<std::uint64_t>(value)};
  }

  static constexpr Value of_object(TaggedObject object) { return {object.tag, object.id.raw}; }

  [[nodiscard]] constexpr bool as_boolean() const { return bits != 0; }

  [[nodiscard]] constexpr std::int8_t as_byte() const { return static_cast<std::int8_t>(bits); }

  [[nodiscard]] constexpr std::uint16_t as_char() const { return static_cast<std::uint16_t>(bits); }

  [[nodiscard]] constexpr std::int16_t as_short() const { return static_cast<std::int16_t>(bits); }

  [[nodiscard]] constexpr std::int32_t as_int() const { return static_cast<std::int32_t>(bits); }

  [[nodiscard]] constexpr std::int64_t as_long() const { return static_cast<std::int64_t>(bits); }

  [[nodiscard]] constexpr float as_float() const {
    return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
  }

  [[nodiscard]] constexpr double as_double() const { return std::bit_cast<double>(bits); }

  [[nodiscard]] constexpr ObjectId as_object() const { return ObjectId(bits); }

  bool operator==(const Value&) const = default;
};

// Elements of an array of the type `tag`, in the form of the wire, because there may be millions.
// If they are objects, each has its own tag before it.
struct ArrayRegion {
  Tag tag = Tag::kInt;
  std::int32_t count = 0;
  std::vector<std::uint8_t> elements;

  bool operator==(const ArrayRegion&) const = default;
};

}  // namespace jvmdebug::protocol
