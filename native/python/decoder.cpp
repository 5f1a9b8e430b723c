// SPDX-License-Identifier: Apache-2.0
#include "python/decoder.h"

#include <bit>
#include <utility>

#include "codec/generated/constants.h"
#include "codec/values.h"
#include "python/byte_view.h"
#include "python/errors.h"

namespace jvmdebug::python {

namespace py = pybind11;

using protocol::Tag;

namespace {

py::object from_signed(std::int64_t number) {
  return py::reinterpret_steal<py::object>(PyLong_FromLongLong(number));
}

py::object from_unsigned(std::uint64_t number) {
  return py::reinterpret_steal<py::object>(PyLong_FromUnsignedLongLong(number));
}

py::object from_double(double number) {
  return py::reinterpret_steal<py::object>(PyFloat_FromDouble(number));
}

}  // namespace

void Decoder::refuse(const Field& field, const std::string& why) const {
  throw WireException(layout_->name + "." + field.name + ": " + why);
}

void Decoder::check(const Field& field) const {
  if (reader_.failed()) {
    refuse(field, "the packet is shorter than this field");
  }
}

py::object Decoder::decode(const Layout& layout) {
  const Layout* outer = std::exchange(layout_, &layout);
  PyTypeObject* type = layout.type();
  auto object = py::reinterpret_steal<py::object>(type->tp_alloc(type, 0));
  if (!object) {
    throw py::error_already_set();
  }
  std::int64_t tag = 0;
  for (const Field& field : layout.fields) {
    py::object value = decode_value(field, field.type, tag);
    check(field);
    slot(object.ptr(), field.offset) = value.release().ptr();
  }
  layout_ = outer;
  return object;
}

py::object Decoder::decode_value(const Field& field, const Type& type, std::int64_t& tag) {
  switch (type.kind) {
    case Kind::kBoolean:
      return py::bool_(reader_.read_boolean());
    case Kind::kByte:
      return from_signed(reader_.read_byte());
    case Kind::kInt:
      return from_signed(reader_.read_int());
    case Kind::kLong:
      return from_signed(reader_.read_long());
    case Kind::kString:
      return decode_string(field);
    case Kind::kBytes:
      return to_python(reader_.read_span(reader_.read_count(1)));
    case Kind::kRest:
      return to_python(reader_.read_span(reader_.remaining()));
    case Kind::kId:
      return from_unsigned(reader_.read_unsigned(type.width));
    case Kind::kEnum:
    case Kind::kEnumOrNull:
      return decode_enum(field, type, tag);
    case Kind::kStruct:
      return decode(*type.layout);
    case Kind::kList:
      return decode_list(field, type);
    case Kind::kVariant:
      return decode_variant(field, type);
    case Kind::kByTag:
      return decode_by_tag(field, tag);
    case Kind::kRegion:
      return decode_region(field, type, tag);
    case Kind::kRawValues: {
      // The count is checked on a copy, because RawValues reads it again together with what
      // follows.
      codec::Reader ahead = reader_;
      ahead.read_count(type.element->minimum_size);
      if (ahead.failed()) {
        refuse(field, "the packet is shorter than its values");
      }
      return decode(*type.layout);
    }
    case Kind::kUntagged:
      break;
  }
  refuse(field, "an untagged value cannot be read");
}

py::object Decoder::decode_enum(const Field& field, const Type& type, std::int64_t& tag) {
  const std::uint64_t bits = reader_.read_unsigned(type.width);
  check(field);
  const bool is_signed = type.width == 4 && !type.enum_table->is_flags();
  tag = is_signed ? static_cast<std::int32_t>(static_cast<std::uint32_t>(bits))
                  : static_cast<std::int64_t>(bits);
  py::object member = type.enum_table->member(tag);
  if (member) {
    return member;
  }
  if (tag == 0 && type.kind == Kind::kEnumOrNull) {
    return type.enum_table->first();
  }
  refuse(field, std::to_string(tag) + " is no " + type.enum_table->name());
}

py::object Decoder::decode_list(const Field& field, const Type& type) {
  const std::size_t count = reader_.read_count(type.element->minimum_size);
  if (reader_.failed()) {
    refuse(field, "the packet is shorter than its elements");
  }
  py::tuple list(count);
  std::int64_t tag = 0;
  for (std::size_t index = 0; index < count; ++index) {
    py::object element = decode_value(field, *type.element, tag);
    check(field);
    PyTuple_SET_ITEM(list.ptr(), static_cast<Py_ssize_t>(index), element.release().ptr());
  }
  return list;
}

py::object Decoder::decode_variant(const Field& field, const Type& type) {
  const auto kind = static_cast<std::uint8_t>(reader_.read_byte());
  check(field);
  const auto found = type.cases.find(kind);
  if (found == type.cases.end()) {
    refuse(field, "there is no case " + std::to_string(kind));
  }
  return decode(*found->second);
}

py::object Decoder::decode_by_tag(const Field& field, std::int64_t tag) {
  const int size = untagged_size(tag, table_.sizes().object);
  if (size < 0) {
    refuse(field, "a value cannot have the tag " + std::to_string(tag));
  }
  const std::uint64_t bits = reader_.read_unsigned(static_cast<std::size_t>(size));
  switch (static_cast<Tag>(tag)) {
    case Tag::kVoid:
      return py::none();
    case Tag::kBoolean:
      return py::bool_(bits != 0);
    case Tag::kByte:
      return from_signed(static_cast<std::int8_t>(bits));
    case Tag::kShort:
      return from_signed(static_cast<std::int16_t>(bits));
    case Tag::kInt:
      return from_signed(static_cast<std::int32_t>(bits));
    case Tag::kLong:
      return from_signed(static_cast<std::int64_t>(bits));
    case Tag::kFloat:
      return from_double(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
    case Tag::kDouble:
      return from_double(std::bit_cast<double>(bits));
    default:  // a char, or an object id
      return from_unsigned(bits);
  }
}

py::object Decoder::decode_region(const Field& field, const Type& type, std::int64_t tag) {
  const int size = untagged_size(tag, table_.sizes().object);
  if (size <= 0) {
    refuse(field, "an array cannot have elements of the tag " + std::to_string(tag));
  }
  const bool tagged = protocol::is_object(static_cast<Tag>(tag));
  const std::size_t count =
      reader_.read_count(tagged ? type.layout->minimum_size : static_cast<std::size_t>(size));
  if (reader_.failed()) {
    refuse(field, "the packet is shorter than its elements");
  }
  py::tuple elements(count);
  for (std::size_t index = 0; index < count; ++index) {
    py::object element = tagged ? decode(*type.layout) : decode_by_tag(field, tag);
    check(field);
    PyTuple_SET_ITEM(elements.ptr(), static_cast<Py_ssize_t>(index), element.release().ptr());
  }
  return elements;
}

py::object Decoder::decode_string(const Field& field) {
  const auto bytes = reader_.read_span(reader_.read_count(1));
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): bytes are bytes
  const auto* text = reinterpret_cast<const char*>(bytes.data());
  auto string = py::reinterpret_steal<py::object>(
      PyUnicode_DecodeUTF8(text, static_cast<Py_ssize_t>(bytes.size()), "surrogatepass"));
  if (string) {
    return string;
  }
  if (PyErr_ExceptionMatches(PyExc_UnicodeDecodeError) == 0) {
    throw py::error_already_set();
  }
  PyErr_Clear();
  refuse(field, "the string is not UTF-8");
}

}  // namespace jvmdebug::python
