// SPDX-License-Identifier: Apache-2.0
//
// Makes Python objects from bytes according to their layouts. Throws WireException when the bytes
// do not fit a layout; nothing is allocated for a count that the bytes cannot hold.
#pragma once

#include <pybind11/pybind11.h>

#include "codec/reader.h"
#include "python/layout.h"

namespace jvmdebug::python {

class Decoder {
 public:
  Decoder(const LayoutTable& table, codec::Reader& reader) : table_(table), reader_(reader) {}

  pybind11::object decode(const Layout& layout);

 private:
  pybind11::object decode_value(const Field& field, const Type& type, std::int64_t& tag);
  pybind11::object decode_enum(const Field& field, const Type& type, std::int64_t& tag);
  pybind11::object decode_list(const Field& field, const Type& type);
  pybind11::object decode_variant(const Field& field, const Type& type);
  pybind11::object decode_by_tag(const Field& field, std::int64_t tag);
  pybind11::object decode_region(const Field& field, const Type& type, std::int64_t tag);
  pybind11::object decode_string(const Field& field);
  [[noreturn]] void refuse(const Field& field, const std::string& why) const;
  void check(const Field& field) const;

  const LayoutTable& table_;
  codec::Reader& reader_;
  const Layout* layout_ = nullptr;  // the layout that is being read, for messages
};

}  // namespace jvmdebug::python
