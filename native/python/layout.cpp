// SPDX-License-Identifier: Apache-2.0
#include "python/layout.h"

#include <array>
#include <structmember.h>
#include <utility>

#include "codec/values.h"
#include "python/errors.h"

namespace jvmdebug::python {

namespace py = pybind11;

namespace {

// The limit of cached members; further combinations of flags are made again each time.
constexpr std::size_t kMaximumMembers = 1024;

std::string class_name(const py::handle& python_class) {
  return py::str(python_class.attr("__qualname__"));
}

// Finds the slot of a field by the public layout of member descriptors, which has the offset.
Py_ssize_t slot_offset(const py::handle& python_class, const std::string& name) {
  const py::object descriptor = py::getattr(python_class, name.c_str(), py::none());
  if (Py_TYPE(descriptor.ptr()) != &PyMemberDescr_Type) {
    throw TypeException(class_name(python_class) + "." + name +
                        " is not a slot: a class with a LAYOUT is a dataclass with slots");
  }
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): the type was checked
  const auto* member = reinterpret_cast<PyMemberDescrObject*>(descriptor.ptr())->d_member;
  if (member->type != T_OBJECT_EX) {
    throw TypeException(class_name(python_class) + "." + name + " is not a slot for an object");
  }
  return member->offset;
}

// Checks that objects of the class can be made by allocation alone.
void check_class(const py::handle& python_class) {
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): the caller checked
  const auto* type = reinterpret_cast<PyTypeObject*>(python_class.ptr());
  if ((type->tp_flags & Py_TPFLAGS_HEAPTYPE) == 0 || type->tp_dictoffset != 0 ||
      py::hasattr(python_class, "__post_init__")) {
    throw TypeException(class_name(python_class) + " is not a dataclass with slots alone");
  }
}

}  // namespace

EnumTable::EnumTable(py::object enumeration, bool is_flags)
    : enumeration_(std::move(enumeration)), is_flags_(is_flags) {
  for (const py::handle member : enumeration_) {
    if (!first_) {
      first_ = py::reinterpret_borrow<py::object>(member);
    }
    members_.emplace(member.cast<std::int64_t>(), py::reinterpret_borrow<py::object>(member));
  }
}

py::object EnumTable::member(std::int64_t number) {
  const auto found = members_.find(number);
  if (found != members_.end()) {
    return found->second;
  }
  if (!is_flags_) {
    return {};
  }
  py::object combined = enumeration_(number);
  if (members_.size() < kMaximumMembers) {
    members_.emplace(number, combined);
  }
  return combined;
}

std::string EnumTable::name() const {
  return class_name(enumeration_);
}

int untagged_size(std::int64_t tag, std::uint8_t object_size) {
  const auto known = static_cast<protocol::Tag>(tag);
  if (protocol::is_object(known)) {
    return object_size;
  }
  const auto size = protocol::untagged_size(known);
  return size ? static_cast<int>(*size) : -1;
}

Layout& LayoutTable::of(const py::handle& python_class) {
  const auto found = layouts_.find(python_class.ptr());
  if (found != layouts_.end()) {
    return *found->second;
  }
  if (!PyType_Check(python_class.ptr()) || !py::hasattr(python_class, "LAYOUT")) {
    throw TypeException(std::string(py::repr(python_class)) +
                        " has no LAYOUT: only classes of jvmdebug.jdwp can be on the wire");
  }
  check_class(python_class);
  auto layout = std::make_unique<Layout>();
  layout->python_class = py::reinterpret_borrow<py::object>(python_class);
  layout->name = class_name(python_class);
  for (const py::handle entry : py::tuple(python_class.attr("LAYOUT"))) {
    const auto pair = py::reinterpret_borrow<py::tuple>(entry);
    Field field;
    field.name = pair[0].cast<std::string>();
    field.offset = slot_offset(python_class, field.name);
    field.type = compile_type(pair[1]);
    layout->minimum_size += field.type.minimum_size;
    layout->fields.push_back(std::move(field));
  }
  return *layouts_.emplace(python_class.ptr(), std::move(layout)).first->second;
}

Type LayoutTable::compile_type(const py::handle& description) {
  if (py::isinstance<py::str>(description)) {
    return compile_named(description.cast<std::string>());
  }
  if (py::isinstance<py::tuple>(description)) {
    return compile_compound(py::reinterpret_borrow<py::tuple>(description));
  }
  Type type;
  type.kind = Kind::kStruct;
  type.layout = &of(description);
  type.minimum_size = type.layout->minimum_size;
  return type;
}

Type LayoutTable::compile_named(const std::string& name) {
  struct Named {
    const char* name;
    Kind kind;
    std::uint8_t minimum_size;
  };

  constexpr std::array kPlain = {
      Named{"boolean", Kind::kBoolean, 1}, Named{"byte", Kind::kByte, 1},
      Named{"int", Kind::kInt, 4},         Named{"long", Kind::kLong, 8},
      Named{"string", Kind::kString, 4},   Named{"bytes", Kind::kBytes, 4},
      Named{"rest", Kind::kRest, 0},       Named{"by_tag", Kind::kByTag, 0},
  };
  Type type;
  for (const Named& plain : kPlain) {
    if (name == plain.name) {
      type.kind = plain.kind;
      type.minimum_size = plain.minimum_size;
      return type;
    }
  }
  type.kind = Kind::kId;
  if (name == "methodID") {
    type.width = sizes_.method;
  } else if (name == "fieldID") {
    type.width = sizes_.field;
  } else if (name == "frameID") {
    type.width = sizes_.frame;
  } else if (name == "referenceTypeID" || name == "classID" || name == "interfaceID" ||
             name == "arrayTypeID") {
    type.width = sizes_.reference_type;
  } else if (name.ends_with("ID")) {
    type.width = sizes_.object;
  } else {
    throw TypeException("a LAYOUT names the type '" + name + "', which is none");
  }
  type.minimum_size = type.width;
  return type;
}

Type LayoutTable::compile_compound(const py::tuple& description) {
  const auto word = description[0].cast<std::string>();
  Type type;
  if (word == "list") {
    type.kind = Kind::kList;
    type.element = std::make_shared<Type>(compile_type(description[1]));
    type.minimum_size = 4;
  } else if (word == "enum" || word == "enum_or_null") {
    type.kind = word == "enum" ? Kind::kEnum : Kind::kEnumOrNull;
    type.width = description[1].cast<std::string>() == "byte" ? 1 : 4;
    type.enum_table = enum_table(description[2]);
    type.minimum_size = type.width;
  } else if (word == "variant") {
    type.kind = Kind::kVariant;
    type.minimum_size = 1;
    for (const py::handle one : py::tuple(description[1])) {
      Layout& layout = of(one);
      const auto kind = one.attr("KIND").cast<std::uint8_t>();
      type.kinds.emplace(layout.type(), kind);
      type.cases.emplace(kind, &layout);
    }
  } else if (word == "raw_values") {
    type.kind = Kind::kRawValues;
    type.layout = &of(description[1]);
    type.element = std::make_shared<Type>(compile_type(description[2]));
    type.minimum_size = 4;
  } else if (word == "untagged") {
    type.kind = Kind::kUntagged;
    type.layout = &of(description[1]);
    type.minimum_size = 1;
  } else if (word == "region") {
    type.kind = Kind::kRegion;
    type.layout = &of(description[1]);
    type.minimum_size = 4;
  } else {
    throw TypeException("a LAYOUT holds '" + word + "', which is none");
  }
  return type;
}

std::shared_ptr<EnumTable> LayoutTable::enum_table(const py::object& enumeration) {
  auto& table = enums_[enumeration.ptr()];
  if (!table) {
    const py::object flag = py::module_::import("enum").attr("Flag");
    const int is_flags = PyObject_IsSubclass(enumeration.ptr(), flag.ptr());
    if (is_flags < 0) {
      throw py::error_already_set();
    }
    table = std::make_shared<EnumTable>(enumeration, is_flags == 1);
  }
  return table;
}

}  // namespace jvmdebug::python
