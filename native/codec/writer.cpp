// SPDX-License-Identifier: Apache-2.0
#include "codec/writer.h"

namespace jvmdebug::codec {

void Writer::write_unsigned(std::uint64_t value, std::size_t width) {
  for (std::size_t shift = width * 8; shift > 0;) {
    shift -= 8;
    bytes_.push_back(static_cast<std::uint8_t>(value >> shift));
  }
}

void Writer::write_span(std::span<const std::uint8_t> bytes) {
  bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
}

void Writer::write_bytes(std::span<const std::uint8_t> bytes) {
  write_count(bytes.size());
  write_span(bytes);
}

void Writer::write_string(std::string_view text) {
  if (from_utf8_ != nullptr) {
    const std::string coded = from_utf8_(text);
    write_count(coded.size());
    bytes_.insert(bytes_.end(), coded.begin(), coded.end());
    return;
  }
  write_count(text.size());
  bytes_.insert(bytes_.end(), text.begin(), text.end());
}

void Writer::write_location(const protocol::Location& location) {
  write_enum(location.tag);
  write_id(location.type_id);
  write_id(location.method_id);
  write_long(location.index);
}

void Writer::write_tagged_object(const protocol::TaggedObject& object) {
  write_enum(object.tag);
  write_id(object.id);
}

void Writer::write_value(const protocol::Value& value) {
  write_enum(value.tag);
  write_untagged(value);
}

void Writer::write_untagged(const protocol::Value& value) {
  write_unsigned(value.bits, protocol::untagged_size(value.tag).value_or(0));
}

void Writer::write_array_region(const protocol::ArrayRegion& region) {
  write_enum(region.tag);
  write_int(region.count);
  write_span(region.elements);
}

void Writer::write_raw_values(const protocol::RawValues& values) {
  write_int(values.count);
  write_span(values.reader.rest());
}

void Writer::overwrite_int(std::size_t position, std::int32_t value) {
  for (std::size_t index = 0; index < sizeof(value); ++index) {
    const auto shift = 8 * (sizeof(value) - 1 - index);
    bytes_.at(position + index) =
        static_cast<std::uint8_t>(static_cast<std::uint32_t>(value) >> shift);
  }
}

}  // namespace jvmdebug::codec
