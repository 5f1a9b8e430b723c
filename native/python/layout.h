// SPDX-License-Identifier: Apache-2.0
//
// The layout of a dataclass on the wire, compiled once per class from its LAYOUT (see
// jvmdebug/jdwp/command.py for what it may contain). The decoder and the encoder interpret it.
//
// Fields are read and written in the slots of the objects themselves, without calling __init__: the
// classes are frozen dataclasses with slots and no other state, and this is what makes a reply of
// thousands of structs cheap. Other classes are refused.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include <pybind11/pybind11.h>

#include "python/id_sizes.h"

namespace jvmdebug::python {

enum class Kind : std::uint8_t {
  kBoolean,
  kByte,
  kInt,
  kLong,
  kString,
  kBytes,
  kRest,        // all bytes that are left
  kId,          // an unsigned number of `width` bytes
  kEnum,        // a number with names, of `width` bytes
  kEnumOrNull,  // the same; 0 stands for the first name
  kStruct,
  kList,
  kVariant,
  kRawValues,  // untagged values
  kByTag,      // a value whose tag is the field before it
  kUntagged,   // a Value without its tag; it can be written only
  kRegion,     // elements whose tag is the field before them
};

// The members of an enumeration by number. Flags get a member for every combination of bits.
class EnumTable {
 public:
  EnumTable(pybind11::object enumeration, bool is_flags);

  // Returns the member, or a null object if the number has no name.
  pybind11::object member(std::int64_t number);

  [[nodiscard]] pybind11::object first() const { return first_; }

  [[nodiscard]] bool is_flags() const { return is_flags_; }

  [[nodiscard]] std::string name() const;

 private:
  pybind11::object enumeration_;
  pybind11::object first_;
  bool is_flags_;
  std::unordered_map<std::int64_t, pybind11::object> members_;
};

struct Layout;

struct Type {
  Kind kind = Kind::kInt;
  std::uint8_t width = 0;
  std::size_t minimum_size = 0;                           // its smallest size in bytes
  std::shared_ptr<EnumTable> enum_table;                  // kEnum, kEnumOrNull
  Layout* layout = nullptr;                               // kStruct, kUntagged, kRawValues, kRegion
  std::shared_ptr<Type> element;                          // kList, kRawValues
  std::unordered_map<PyTypeObject*, std::uint8_t> kinds;  // kVariant: class → tag
  std::unordered_map<std::uint8_t, Layout*> cases;        // kVariant: tag → layout
};

struct Field {
  std::string name;
  Py_ssize_t offset = 0;  // of the slot in the object
  Type type;
};

struct Layout {
  pybind11::object python_class;
  std::string name;
  std::vector<Field> fields;
  std::size_t minimum_size = 0;

  [[nodiscard]] PyTypeObject* type() const {
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): a class is a type object
    return reinterpret_cast<PyTypeObject*>(python_class.ptr());
  }
};

// The layouts of all classes that one codec has used. A layout never moves.
class LayoutTable {
 public:
  explicit LayoutTable(IdSizes sizes) : sizes_(sizes) {}

  // Returns the layout of this class; throws TypeException when it has none.
  Layout& of(const pybind11::handle& python_class);

  [[nodiscard]] const IdSizes& sizes() const { return sizes_; }

 private:
  Type compile_type(const pybind11::handle& description);
  Type compile_named(const std::string& name);
  Type compile_compound(const pybind11::tuple& description);
  std::shared_ptr<EnumTable> enum_table(const pybind11::object& enumeration);

  IdSizes sizes_;
  std::unordered_map<PyObject*, std::unique_ptr<Layout>> layouts_;
  std::unordered_map<PyObject*, std::shared_ptr<EnumTable>> enums_;
};

// Returns the size of a value of this tag, without the tag (object ids have `object_size`); -1 if
// there is no such tag.
int untagged_size(std::int64_t tag, std::uint8_t object_size);

// The slot of a field.
inline PyObject*& slot(PyObject* object, Py_ssize_t offset) {
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): how CPython lays slots out
  return *reinterpret_cast<PyObject**>(reinterpret_cast<char*>(object) + offset);
}

}  // namespace jvmdebug::python
