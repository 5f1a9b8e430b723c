// SPDX-License-Identifier: Apache-2.0
#include "python/encoder.h"

#include <bit>
#include <cmath>
#include <string>
#include <utility>

#include "codec/values.h"
#include "python/byte_view.h"
#include "python/errors.h"

namespace jvmdebug::python {

namespace py = pybind11;

using protocol::Tag;

void Encoder::refuse_type(const Field& field, const char* wanted, PyObject* value) const {
  throw TypeException(layout_->name + "." + field.name + ": expected " + wanted + ", not " +
                      Py_TYPE(value)->tp_name);
}

void Encoder::refuse_value(const Field& field, PyObject* value, const char* wanted) const {
  throw WireException(layout_->name + "." + field.name + ": " +
                      std::string(py::repr(py::handle(value))) + " does not fit " + wanted);
}

void Encoder::encode(const Layout& layout, PyObject* object) {
  const Layout* outer = std::exchange(layout_, &layout);
  std::int64_t tag = 0;
  for (const Field& field : layout.fields) {
    PyObject* value = slot(object, field.offset);
    if (value == nullptr) {
      throw TypeException(layout.name + "." + field.name + " has no value");
    }
    encode_value(field, field.type, value, tag);
  }
  layout_ = outer;
}

void Encoder::encode_value(const Field& field, const Type& type, PyObject* value,
                           std::int64_t& tag) {
  switch (type.kind) {
    case Kind::kBoolean:
      return encode_boolean(field, value);
    case Kind::kByte:
      return encode_signed(field, value, 1);
    case Kind::kInt:
      return encode_signed(field, value, 4);
    case Kind::kLong:
      return encode_signed(field, value, 8);
    case Kind::kString:
      return encode_string(field, value);
    case Kind::kBytes:
    case Kind::kRest: {
      if (!PyBytes_Check(value)) {
        refuse_type(field, "bytes", value);
      }
      const ByteView view{py::handle(value)};
      return type.kind == Kind::kRest ? writer_.write_span(view.bytes())
                                      : writer_.write_bytes(view.bytes());
    }
    case Kind::kId:
      return encode_unsigned(field, value, type.width);
    case Kind::kEnum:
    case Kind::kEnumOrNull:
      return encode_enum(field, type, value, tag);
    case Kind::kStruct:
      return encode_struct(field, *type.layout, value);
    case Kind::kList:
      return encode_list(field, type, value);
    case Kind::kVariant:
      return encode_variant(field, type, value);
    case Kind::kRawValues:
      return encode_raw_values(field, type, value);
    case Kind::kByTag:
      return encode_by_tag(field, value, tag);
    case Kind::kUntagged:
      return encode_untagged(field, *type.layout, value);
    case Kind::kRegion:
      return encode_region(field, type, value, tag);
  }
}

void Encoder::encode_struct(const Field& field, const Layout& layout, PyObject* value) {
  if (Py_TYPE(value) != layout.type()) {
    refuse_type(field, layout.name.c_str(), value);
  }
  encode(layout, value);
}

void Encoder::encode_enum(const Field& field, const Type& type, PyObject* value,
                          std::int64_t& tag) {
  if (type.width == 1 || type.enum_table->is_flags()) {
    encode_unsigned(field, value, type.width);
  } else {
    encode_signed(field, value, type.width);
  }
  tag = PyLong_AsLongLong(value);
}

void Encoder::encode_list(const Field& field, const Type& type, PyObject* value) {
  if (!PyTuple_Check(value)) {
    refuse_type(field, "tuple", value);
  }
  const Py_ssize_t count = PyTuple_GET_SIZE(value);
  writer_.write_count(static_cast<std::size_t>(count));
  std::int64_t tag = 0;
  for (Py_ssize_t index = 0; index < count; ++index) {
    encode_value(field, *type.element, PyTuple_GET_ITEM(value, index), tag);
  }
}

void Encoder::encode_variant(const Field& field, const Type& type, PyObject* value) {
  const auto found = type.kinds.find(Py_TYPE(value));
  if (found == type.kinds.end()) {
    refuse_type(field, "one of the cases", value);
  }
  writer_.write_unsigned(found->second, 1);
  encode(*type.cases.at(found->second), value);
}

void Encoder::encode_raw_values(const Field& field, const Type& type, PyObject* value) {
  if (Py_TYPE(value) == type.layout->type()) {
    encode(*type.layout, value);
  } else {
    encode_list(field, type, value);
  }
}

void Encoder::encode_by_tag(const Field& field, PyObject* value, std::int64_t tag) {
  switch (static_cast<Tag>(tag)) {
    case Tag::kVoid:
      if (value != Py_None) {
        refuse_type(field, "None", value);
      }
      return;
    case Tag::kBoolean:
      return encode_boolean(field, value);
    case Tag::kByte:
      return encode_signed(field, value, 1);
    case Tag::kChar:
      return encode_unsigned(field, value, 2);
    case Tag::kShort:
      return encode_signed(field, value, 2);
    case Tag::kInt:
      return encode_signed(field, value, 4);
    case Tag::kLong:
      return encode_signed(field, value, 8);
    case Tag::kFloat:
      return encode_floating(field, value, 4);
    case Tag::kDouble:
      return encode_floating(field, value, 8);
    default:
      break;
  }
  if (untagged_size(tag, table_.sizes().object) < 0) {
    throw WireException(layout_->name + "." + field.name + ": a value cannot have the tag " +
                        std::to_string(tag));
  }
  encode_unsigned(field, value, table_.sizes().object);
}

void Encoder::encode_untagged(const Field& field, const Layout& layout, PyObject* value) {
  if (Py_TYPE(value) != layout.type()) {
    refuse_type(field, layout.name.c_str(), value);
  }
  PyObject* tag = slot(value, layout.fields[0].offset);
  PyObject* content = slot(value, layout.fields[1].offset);
  if (tag == nullptr || content == nullptr || !PyLong_Check(tag)) {
    refuse_type(field, "a value with a tag", value);
  }
  const std::int64_t number = PyLong_AsLongLong(tag);
  PyErr_Clear();  // a number beyond 64 bits gives -1, which is not a tag either
  encode_by_tag(field, content, number);
}

void Encoder::encode_region(const Field& field, const Type& type, PyObject* value,
                            std::int64_t tag) {
  if (!PyTuple_Check(value)) {
    refuse_type(field, "tuple", value);
  }
  if (untagged_size(tag, table_.sizes().object) <= 0) {
    throw WireException(layout_->name + "." + field.name +
                        ": an array cannot have elements of the tag " + std::to_string(tag));
  }
  const bool tagged = protocol::is_object(static_cast<Tag>(tag));
  const Py_ssize_t count = PyTuple_GET_SIZE(value);
  writer_.write_count(static_cast<std::size_t>(count));
  for (Py_ssize_t index = 0; index < count; ++index) {
    PyObject* element = PyTuple_GET_ITEM(value, index);
    if (tagged) {
      encode_struct(field, *type.layout, element);
    } else {
      encode_by_tag(field, element, tag);
    }
  }
}

void Encoder::encode_string(const Field& field, PyObject* value) {
  if (!PyUnicode_Check(value)) {
    refuse_type(field, "str", value);
  }
  Py_ssize_t size = 0;
  const char* text = PyUnicode_AsUTF8AndSize(value, &size);
  if (text != nullptr) {
    return writer_.write_string({text, static_cast<std::size_t>(size)});
  }
  PyErr_Clear();  // it has lone surrogates
  const auto encoded =
      py::reinterpret_steal<py::object>(PyUnicode_AsEncodedString(value, "utf-8", "surrogatepass"));
  if (!encoded) {
    throw py::error_already_set();
  }
  const ByteView view(encoded);
  writer_.write_bytes(view.bytes());
}

void Encoder::encode_boolean(const Field& field, PyObject* value) {
  if (!PyBool_Check(value)) {
    refuse_type(field, "bool", value);
  }
  writer_.write_boolean(value == Py_True);
}

void Encoder::encode_floating(const Field& field, PyObject* value, std::uint8_t width) {
  const double number = PyFloat_AsDouble(value);
  if (number == -1.0 && PyErr_Occurred() != nullptr) {
    PyErr_Clear();
    refuse_type(field, "float", value);
  }
  if (width == 8) {
    return writer_.write_unsigned(std::bit_cast<std::uint64_t>(number), 8);
  }
  const auto narrow = static_cast<float>(number);
  if (std::isinf(narrow) && !std::isinf(number)) {
    refuse_value(field, value, "a float");
  }
  writer_.write_unsigned(std::bit_cast<std::uint32_t>(narrow), 4);
}

void Encoder::encode_signed(const Field& field, PyObject* value, std::uint8_t width) {
  if (!PyLong_Check(value)) {
    refuse_type(field, "int", value);
  }
  int overflow = 0;
  const std::int64_t number = PyLong_AsLongLongAndOverflow(value, &overflow);
  const std::int64_t limit = std::int64_t{1} << (width * 8 - 1);
  if (overflow != 0 || (width < 8 && (number < -limit || number >= limit))) {
    refuse_value(field, value, width == 8 ? "8 bytes" : "its bytes (signed)");
  }
  writer_.write_unsigned(static_cast<std::uint64_t>(number), width);
}

void Encoder::encode_unsigned(const Field& field, PyObject* value, std::uint8_t width) {
  if (!PyLong_Check(value)) {
    refuse_type(field, "int", value);
  }
  const std::uint64_t number = PyLong_AsUnsignedLongLong(value);
  const bool failed = number == UINT64_MAX && PyErr_Occurred() != nullptr;
  PyErr_Clear();
  if (failed || (width < 8 && number >> (width * 8U) != 0)) {
    refuse_value(field, value, "its bytes (unsigned)");
  }
  writer_.write_unsigned(number, width);
}

}  // namespace jvmdebug::python
