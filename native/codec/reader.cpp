// SPDX-License-Identifier: Apache-2.0
#include "codec/reader.h"

#include <algorithm>

namespace jvmdebug::codec {

using protocol::Error;
using protocol::Tag;
using protocol::TypeTag;

// The answer to a message that does not fit its bytes, as from the JDK's agent.
constexpr Error kMalformed = Error::kInternal;

void Reader::fail(Error error) {
  if (!failed()) {
    error_ = error;
  }
  rest_ = {};
}

std::uint64_t Reader::read_unsigned(std::size_t width) {
  std::uint64_t number = 0;
  for (const std::uint8_t byte : read_span(width)) {
    number = (number << 8U) | byte;
  }
  return number;
}

std::span<const std::uint8_t> Reader::read_span(std::size_t size) {
  if (rest_.size() < size) {
    fail(kMalformed);
    return {};
  }
  const auto bytes = rest_.first(size);
  rest_ = rest_.subspan(size);
  return bytes;
}

std::size_t Reader::read_count(std::size_t minimum_size) {
  const std::int32_t count = read_int();
  if (count < 0) {
    fail(Error::kIllegalArgument);
    return 0;
  }
  if (static_cast<std::size_t>(count) > rest_.size() / minimum_size) {
    fail(kMalformed);
    return 0;
  }
  return static_cast<std::size_t>(count);
}

std::string Reader::read_string() {
  const auto bytes = read_span(read_count(1));
  std::string text(bytes.begin(), bytes.end());
  return to_utf8_ == nullptr ? text : to_utf8_(text);
}

std::vector<std::uint8_t> Reader::read_bytes() {
  const auto bytes = read_span(read_count(1));
  return {bytes.begin(), bytes.end()};
}

protocol::Location Reader::read_location() {
  protocol::Location location;
  location.tag = read_enum<TypeTag>();
  location.type_id = read_id<protocol::ReferenceTypeId>();
  location.method_id = read_id<protocol::MethodId>();
  location.index = read_long();
  return location;
}

protocol::TaggedObject Reader::read_tagged_object() {
  protocol::TaggedObject object;
  object.tag = read_enum<Tag>();
  object.id = read_id<protocol::ObjectId>();
  return object;
}

protocol::Value Reader::read_value() {
  return read_untagged(read_enum<Tag>());
}

protocol::Value Reader::read_untagged(Tag tag) {
  const auto size = protocol::untagged_size(tag);
  if (!size) {
    fail(Error::kInvalidTag);
    return {};
  }
  const std::uint64_t bits = read_unsigned(*size);
  if (tag == Tag::kBoolean) {
    return protocol::Value::of_boolean(bits != 0);
  }
  return {tag, bits};
}

protocol::ArrayRegion Reader::read_array_region() {
  protocol::ArrayRegion region;
  region.tag = read_enum<Tag>();
  const auto size = protocol::untagged_size(region.tag);
  if (!size || *size == 0) {
    fail(Error::kInvalidTag);
    return region;
  }
  const bool tagged = protocol::is_object(region.tag);
  const std::size_t element_size = tagged ? *size + 1 : *size;
  const std::size_t count = read_count(element_size);
  const auto elements = read_span(count * element_size);
  for (std::size_t at = 0; tagged && at < elements.size(); at += element_size) {
    if (!protocol::is_object(static_cast<Tag>(elements[at]))) {
      fail(Error::kInvalidTag);
      return region;
    }
  }
  region.count = static_cast<std::int32_t>(count);
  region.elements.assign(elements.begin(), elements.end());
  return region;
}

protocol::RawValues Reader::read_raw_values(std::size_t minimum_size) {
  protocol::RawValues values;
  values.count = static_cast<std::int32_t>(read_count(minimum_size));
  values.reader = Reader(read_span(rest_.size()));
  return values;
}

std::vector<protocol::Value> values_of(const protocol::ArrayRegion& region) {
  Reader reader(region.elements);
  const bool tagged = protocol::is_object(region.tag);
  std::vector<protocol::Value> values;
  values.reserve(static_cast<std::size_t>(region.count));
  for (std::int32_t index = 0; index < region.count; ++index) {
    values.push_back(tagged ? reader.read_value() : reader.read_untagged(region.tag));
  }
  return reader.failed() ? std::vector<protocol::Value>{} : values;
}

}  // namespace jvmdebug::codec

namespace jvmdebug::protocol {

bool RawValues::operator==(const RawValues& other) const {
  return count == other.count && std::ranges::equal(reader.rest(), other.reader.rest());
}

}  // namespace jvmdebug::protocol
