// SPDX-License-Identifier: Apache-2.0
//
// Reads the bytes of one packet. A reader never reads beyond its end: the first read that does not
// fit puts it into the failed state, and from then on every read returns zero or empty. So a caller
// reads a whole message and checks once, at the end. Counts are checked against the remaining bytes
// before anything is allocated for them.
//
// A reader does not own the bytes; it must not outlive the packet.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "codec/ids.h"
#include "codec/result.h"
#include "codec/values.h"

namespace jvmdebug::protocol {
struct RawValues;
}

namespace jvmdebug::codec {

// Converts the strings of the wire to UTF-8, or back; null if the wire uses UTF-8.
using StringCoder = std::string (*)(std::string_view);

class Reader {
 public:
  Reader() = default;

  explicit Reader(std::span<const std::uint8_t> bytes, StringCoder to_utf8 = nullptr)
      : rest_(bytes), to_utf8_(to_utf8) {}

  bool read_boolean() { return read_big_endian<std::uint8_t>() != 0; }

  std::int8_t read_byte() { return static_cast<std::int8_t>(read_big_endian<std::uint8_t>()); }

  std::uint16_t read_unsigned_short() { return read_big_endian<std::uint16_t>(); }

  std::int32_t read_int() { return static_cast<std::int32_t>(read_big_endian<std::uint32_t>()); }

  std::int64_t read_long() { return static_cast<std::int64_t>(read_big_endian<std::uint64_t>()); }

  // Reads a number of `width` bytes (1 to 8), most significant byte first.
  std::uint64_t read_unsigned(std::size_t width);

  // Reads the number of elements that follow, each of at least `minimum_size` bytes; fails when the
  // rest of the packet cannot hold them.
  std::size_t read_count(std::size_t minimum_size);

  // Reads a counted string as UTF-8, which is not validated.
  std::string read_string();

  std::vector<std::uint8_t> read_bytes();

  // Returns the next `size` bytes, without a copy.
  std::span<const std::uint8_t> read_span(std::size_t size);

  template <class IdType>
  IdType read_id() {
    return IdType(read_big_endian<std::uint64_t>());
  }

  // Reads an enumeration of the width of its underlying type. The value may have no name.
  template <class Enum>
    requires std::is_enum_v<Enum>
  Enum read_enum() {
    using Wire = std::make_unsigned_t<std::underlying_type_t<Enum>>;
    return static_cast<Enum>(read_big_endian<Wire>());
  }

  protocol::Location read_location();
  protocol::TaggedObject read_tagged_object();

  // Reads a tag and its value; an unknown tag fails with INVALID_TAG.
  protocol::Value read_value();

  // Reads a value of a type that the caller knows.
  protocol::Value read_untagged(protocol::Tag tag);

  protocol::ArrayRegion read_array_region();

  // Reads the count and everything that is left; see RawValues.
  protocol::RawValues read_raw_values(std::size_t minimum_size);

  [[nodiscard]] std::span<const std::uint8_t> rest() const { return rest_; }

  [[nodiscard]] std::size_t remaining() const { return rest_.size(); }

  [[nodiscard]] bool failed() const { return error_ != protocol::Error::kNone; }

  [[nodiscard]] protocol::Error error() const { return error_; }

  // Puts the reader into the failed state; the first error stays.
  void fail(protocol::Error error);

  // Returns the message that was read, or the error if any read failed.
  template <class Message>
  Result<Message> checked(Message&& message) const {
    if (failed()) {
      return jvmdebug::fail(error_);
    }
    return std::forward<Message>(message);
  }

 private:
  template <std::unsigned_integral Number>
  Number read_big_endian() {
    if (rest_.size() < sizeof(Number)) {
      fail(protocol::Error::kInternal);
      return 0;
    }
    Number number = 0;
    for (std::size_t index = 0; index < sizeof(Number); ++index) {
      number = static_cast<Number>((std::uint64_t{number} << 8U) | rest_[index]);
    }
    rest_ = rest_.subspan(sizeof(Number));
    return number;
  }

  std::span<const std::uint8_t> rest_;
  StringCoder to_utf8_ = nullptr;
  protocol::Error error_ = protocol::Error::kNone;
};

// Returns the elements of a region one by one; none if its bytes do not match its count.
[[nodiscard]] std::vector<protocol::Value> values_of(const protocol::ArrayRegion& region);

}  // namespace jvmdebug::codec

namespace jvmdebug::protocol {

// Untagged values (or pairs of field id and value), which can be read only if the types are known.
// `reader` is at the first of `count`; check reader.failed() after reading them.
struct RawValues {
  std::int32_t count = 0;
  codec::Reader reader;

  bool operator==(const RawValues& other) const;
};

}  // namespace jvmdebug::protocol
