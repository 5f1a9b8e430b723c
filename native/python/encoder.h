// SPDX-License-Identifier: Apache-2.0
//
// Writes Python objects as bytes according to their layouts. Throws TypeException when an object
// does not have the type that the layout requires, WireException when a value does not fit into its
// field.
#pragma once

#include <pybind11/pybind11.h>

#include "codec/writer.h"
#include "python/layout.h"

namespace jvmdebug::python {

class Encoder {
 public:
  Encoder(const LayoutTable& table, codec::Writer& writer) : table_(table), writer_(writer) {}

  // Writes the fields of `object`, which is of the class of `layout`.
  void encode(const Layout& layout, PyObject* object);

 private:
  void encode_value(const Field& field, const Type& type, PyObject* value, std::int64_t& tag);
  void encode_struct(const Field& field, const Layout& layout, PyObject* value);
  void encode_enum(const Field& field, const Type& type, PyObject* value, std::int64_t& tag);
  void encode_list(const Field& field, const Type& type, PyObject* value);
  void encode_variant(const Field& field, const Type& type, PyObject* value);
  void encode_raw_values(const Field& field, const Type& type, PyObject* value);
  void encode_by_tag(const Field& field, PyObject* value, std::int64_t tag);
  void encode_untagged(const Field& field, const Layout& layout, PyObject* value);
  void encode_region(const Field& field, const Type& type, PyObject* value, std::int64_t tag);
  void encode_string(const Field& field, PyObject* value);
  void encode_floating(const Field& field, PyObject* value, std::uint8_t width);
  void encode_boolean(const Field& field, PyObject* value);
  void encode_signed(const Field& field, PyObject* value, std::uint8_t width);
  void encode_unsigned(const Field& field, PyObject* value, std::uint8_t width);

  [[noreturn]] void refuse_type(const Field& field, const char* wanted, PyObject* value) const;
  [[noreturn]] void refuse_value(const Field& field, PyObject* value, const char* wanted) const;

  const LayoutTable& table_;
  codec::Writer& writer_;
  const Layout* layout_ = nullptr;  // the layout that is being written, for messages
};

}  // namespace jvmdebug::python
