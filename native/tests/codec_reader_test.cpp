// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cstdint>
#include <doctest/doctest.h>
#include <limits>
#include <vector>

#include "codec/reader.h"
#include "codec/writer.h"

namespace jvmdebug::tests {

using codec::Reader;
using codec::Writer;
using protocol::Error;
using protocol::Tag;
using protocol::Value;

namespace {

TEST_CASE("numbers come back") {
  Writer writer;
  writer.write_boolean(true);
  writer.write_byte(-2);
  writer.write_unsigned_short(0xFEDC);
  writer.write_int(std::numeric_limits<std::int32_t>::min());
  writer.write_long(-3);
  writer.write_unsigned(0x010203, 3);
  writer.write_enum(protocol::EventKind::kVmDeath);
  writer.write_enum(protocol::StepDepth::kOut);
  Reader reader(writer.bytes());
  CHECK(reader.read_boolean());
  CHECK(reader.read_byte() == -2);
  CHECK(reader.read_unsigned_short() == 0xFEDC);
  CHECK(reader.read_int() == std::numeric_limits<std::int32_t>::min());
  CHECK(reader.read_long() == -3);
  CHECK(reader.read_unsigned(3) == 0x010203);
  CHECK(reader.read_enum<protocol::EventKind>() == protocol::EventKind::kVmDeath);
  CHECK(reader.read_enum<protocol::StepDepth>() == protocol::StepDepth::kOut);
  CHECK(reader.remaining() == 0);
  CHECK(!reader.failed());
}

TEST_CASE("a reader fails once and stays failed") {
  constexpr std::array<std::uint8_t, 5> kBytes = {0, 0, 0, 1, 'x'};
  Reader reader(kBytes);
  CHECK(reader.read_long() == 0);
  CHECK(reader.failed());
  CHECK(reader.error() == Error::kInternal);
  CHECK(reader.remaining() == 0);
  CHECK(reader.read_int() == 0);
  CHECK(reader.read_string().empty());
  reader.fail(Error::kInvalidTag);
  CHECK(reader.error() == Error::kInternal);
  CHECK(!reader.checked(1).has_value());
}

TEST_CASE("counts that the bytes cannot hold are refused") {
  for (const std::int32_t count : {2, -1, std::numeric_limits<std::int32_t>::max(),
                                   std::numeric_limits<std::int32_t>::min()}) {
    Writer writer;
    writer.write_int(count);
    writer.write_long(0);
    Reader reader(writer.bytes());
    CHECK(reader.read_count(8) == 0);
    CHECK(reader.failed());
    Reader text(std::span(writer.bytes()).first(5));
    CHECK(text.read_string().empty());
    CHECK(text.failed());
    Reader bytes(std::span(writer.bytes()).first(5));
    CHECK(bytes.read_bytes().empty());
    CHECK(bytes.failed());
  }
}

TEST_CASE("values come back") {
  const std::vector<Value> values = {
      Value::of_void(),         Value::of_boolean(true),
      Value::of_byte(-1),       Value::of_char(0xD800),
      Value::of_short(-2),      Value::of_int(-3),
      Value::of_long(-4),       Value::of_float(-0.0F),
      Value::of_double(1e-300), Value::of_object({Tag::kString, protocol::ObjectId(9)})};
  Writer writer;
  for (const Value& value : values) {
    writer.write_value(value);
  }
  Reader reader(writer.bytes());
  for (const Value& value : values) {
    CHECK(reader.read_value() == value);
  }
  CHECK(!reader.failed());
  CHECK(reader.remaining() == 0);
  CHECK(values[2].as_byte() == -1);
  CHECK(values[4].as_short() == -2);
  CHECK(values[5].as_int() == -3);
  CHECK(values[6].as_long() == -4);
  CHECK(values[8].as_double() == 1e-300);
  CHECK(values[9].as_object() == protocol::ObjectId(9));
}

TEST_CASE("unknown tags are refused") {
  constexpr std::array<std::uint8_t, 9> kBytes = {'Q'};
  Reader value(kBytes);
  CHECK(value.read_value() == Value());
  CHECK(value.error() == Error::kInvalidTag);
  Reader region(kBytes);
  CHECK(region.read_array_region().elements.empty());
  CHECK(region.error() == Error::kInvalidTag);
  constexpr std::array<std::uint8_t, 5> kVoids = {'V', 0x7F, 0xFF, 0xFF, 0xFF};
  Reader voids(kVoids);
  CHECK(voids.read_array_region().elements.empty());
  CHECK(voids.error() == Error::kInvalidTag);
  constexpr std::array<std::uint8_t, 14> kIntAmongObjects = {'L', 0, 0, 0, 1, 'I'};
  Reader objects(kIntAmongObjects);
  CHECK(objects.read_array_region().elements.empty());
  CHECK(objects.error() == Error::kInvalidTag);
}

TEST_CASE("array regions come back") {
  const protocol::ArrayRegion ints{Tag::kInt, 2, {0, 0, 0, 1, 0xFF, 0xFF, 0xFF, 0xFF}};
  const protocol::ArrayRegion objects{
      Tag::kObject, 2, {'s', 0, 0, 0, 0, 0, 0, 0, 1, 'L', 0, 0, 0, 0, 0, 0, 0, 0}};
  Writer writer;
  writer.write_array_region(ints);
  CHECK(writer.size() == 1 + 4 + 2 * 4);
  writer.write_array_region(objects);
  CHECK(writer.size() == 13 + 1 + 4 + 2 * 9);
  Reader reader(writer.bytes());
  CHECK(reader.read_array_region() == ints);
  CHECK(reader.read_array_region() == objects);
  CHECK(!reader.failed());
  const std::vector<Value> numbers = {Value::of_int(1), Value::of_int(-1)};
  CHECK(codec::values_of(ints) == numbers);
  const std::vector<Value> references = {Value::of_object({Tag::kString, protocol::ObjectId(1)}),
                                         Value::of_object({Tag::kObject, protocol::ObjectId(0)})};
  CHECK(codec::values_of(objects) == references);
  CHECK(codec::values_of({Tag::kInt, 3, ints.elements}).empty());
}

TEST_CASE("a count can be written later") {
  Writer writer;
  writer.write_byte(1);
  const std::size_t position = writer.size();
  writer.write_count(0);
  writer.write_byte(2);
  writer.overwrite_int(position, 0x01020304);
  const std::vector<std::uint8_t> expected = {1, 1, 2, 3, 4, 2};
  CHECK(writer.take() == expected);
  CHECK(writer.size() == 0);
}

}  // namespace

}  // namespace jvmdebug::tests
