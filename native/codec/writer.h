// SPDX-License-Identifier: Apache-2.0
//
// Writes the bytes of one packet, the counterpart of Reader. It never fails: a packet that is too
// long is refused when it is finished (packet.h).
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "codec/big_endian.h"
#include "codec/ids.h"
#include "codec/reader.h"
#include "codec/values.h"

namespace jvmdebug::codec {

class Writer {
 public:
  Writer() = default;

  explicit Writer(StringCoder from_utf8) : from_utf8_(from_utf8) {}

  void write_boolean(bool value) { bytes_.push_back(value ? 1 : 0); }

  void write_byte(std::int8_t value) { bytes_.push_back(static_cast<std::uint8_t>(value)); }

  void write_unsigned_short(std::uint16_t value) { write_big_endian(value); }

  void write_int(std::int32_t value) { write_big_endian(static_cast<std::uint32_t>(value)); }

  void write_long(std::int64_t value) { write_big_endian(static_cast<std::uint64_t>(value)); }

  // Writes a number of `width` bytes (1 to 8), most significant byte first.
  void write_unsigned(std::uint64_t value, std::size_t width);

  // Writes the number of elements that follow.
  void write_count(std::size_t count) { write_big_endian(static_cast<std::uint32_t>(count)); }

  // Writes a counted string, given as UTF-8.
  void write_string(std::string_view text);

  // Writes counted bytes.
  void write_bytes(std::span<const std::uint8_t> bytes);

  // Writes bytes without a count.
  void write_span(std::span<const std::uint8_t> bytes);

  template <class IdType>
  void write_id(IdType id) {
    write_big_endian(id.raw);
  }

  template <class Enum>
    requires std::is_enum_v<Enum>
  void write_enum(Enum value) {
    write_big_endian(static_cast<std::make_unsigned_t<std::underlying_type_t<Enum>>>(value));
  }

  void write_location(const protocol::Location& location);
  void write_tagged_object(const protocol::TaggedObject& object);
  void write_value(const protocol::Value& value);

  // Writes a value without its tag, for a receiver that knows its type.
  void write_untagged(const protocol::Value& value);

  void write_array_region(const protocol::ArrayRegion& region);
  void write_raw_values(const protocol::RawValues& values);

  // Writes `value` over the four bytes at `position`, which write_int or write_count wrote: for a
  // count that is known only after its elements.
  void overwrite_int(std::size_t position, std::int32_t value);

  void reserve(std::size_t size) { bytes_.reserve(size); }

  [[nodiscard]] std::size_t size() const { return bytes_.size(); }

  [[nodiscard]] std::span<const std::uint8_t> bytes() const { return bytes_; }

  [[nodiscard]] std::vector<std::uint8_t> take() { return std::exchange(bytes_, {}); }

 private:
  template <std::unsigned_integral Number>
  void write_big_endian(Number value) {
    // insert() is not used, because gcc 12 warns of an overflow that cannot happen.
    const Number wire = big_endian(value);
    bytes_.resize(bytes_.size() + sizeof wire);
    std::memcpy(&*std::prev(bytes_.end(), sizeof wire), &wire, sizeof wire);
  }

  std::vector<std::uint8_t> bytes_;
  StringCoder from_utf8_ = nullptr;
};

}  // namespace jvmdebug::codec
