// SPDX-License-Identifier: Apache-2.0
//
// HeapDump as tables: slices of columns, which own their memory and are read through the buffer
// protocol.
#include <algorithm>
#include <bit>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#include "python/heap_dump.h"

namespace jvmdebug::python {

namespace py = pybind11;

namespace {

using heap::Object;

// A slice of a column; Python reads it through the buffer protocol.
class Column {
 public:
  using Values = std::variant<std::vector<std::uint64_t>, std::vector<std::int64_t>,
                              std::vector<std::int32_t>, std::vector<double>, std::vector<char>>;

  explicit Column(Values values) : values_(std::move(values)) {}

  py::buffer_info buffer() {
    return std::visit(
        [](auto& each) {
          using Element = std::remove_reference_t<decltype(each)>::value_type;
          return py::buffer_info(each.data(), sizeof(Element),
                                 py::format_descriptor<Element>::format(), 1,
                                 {static_cast<py::ssize_t>(each.size())}, {sizeof(Element)}, true);
        },
        values_);
  }

 private:
  Values values_;
};

using Slice = std::pair<Object, Object>;  // first, behind the last

Slice slice_of(const HeapDump& self, std::uint64_t first, std::uint64_t count) {
  const std::uint64_t all = self.dump().object_count();
  const std::uint64_t begin = std::min(first, all);
  return {static_cast<Object>(begin), static_cast<Object>(begin + std::min(count, all - begin))};
}

// Returns id, class, shallow size, retained size.
py::tuple instance_columns(HeapDump& self, std::uint64_t first, std::uint64_t count) {
  const heap::Dominators& dominators = self.dominators();
  const heap::Dump& dump = self.dump();
  const auto [begin, end] = slice_of(self, first, count);
  std::vector<std::uint64_t> ids;
  std::vector<std::int32_t> classes;
  std::vector<std::int64_t> shallow;
  std::vector<std::int64_t> retained;
  {
    const py::gil_scoped_release released;
    for (Object object = begin; object < end; ++object) {
      ids.push_back(dump.id_of(object));
      classes.push_back(static_cast<std::int32_t>(dump.class_index(object)));
      shallow.push_back(static_cast<std::int64_t>(dump.shallow_size(object)));
      retained.push_back(static_cast<std::int64_t>(dominators.retained_size(object)));
    }
  }
  return py::make_tuple(Column(std::move(ids)), Column(std::move(classes)),
                        Column(std::move(shallow)), Column(std::move(retained)));
}

// Returns source, target, field (its number among the names; -1 for an element), element (its
// index, or -1).
py::tuple reference_columns(const HeapDump& self, std::uint64_t first, std::uint64_t count) {
  const heap::Dump& dump = self.dump();
  const auto [begin, end] = slice_of(self, first, count);
  std::vector<std::uint64_t> sources;
  std::vector<std::uint64_t> targets;
  std::vector<std::int32_t> fields;
  std::vector<std::int32_t> elements;
  std::vector<std::string_view> names;
  std::unordered_map<std::string_view, std::int32_t> numbers;
  const auto number_of = [&](std::string_view name) {
    const auto [entry, is_new] = numbers.try_emplace(name, static_cast<std::int32_t>(names.size()));
    if (is_new) {
      names.push_back(name);
    }
    return entry->second;
  };
  {
    const py::gil_scoped_release released;
    for (Object object = begin; object < end; ++object) {
      const heap::Shape shape = dump.shape_of(object);
      heap::for_each_reference(dump, object, [&](std::uint64_t id, std::uint32_t via) {
        if (id == 0) {
          return;
        }
        sources.push_back(dump.id_of(object));
        targets.push_back(id);
        const bool is_element = shape == heap::Shape::kObjectArray;
        elements.push_back(is_element ? static_cast<std::int32_t>(via) : -1);
        if (shape == heap::Shape::kClass) {
          fields.push_back(
              number_of(dump.classes()[dump.class_of_mirror(object)].statics[via].name));
        } else if (is_element) {
          fields.push_back(-1);
        } else {
          const auto& references = dump.class_of(object).references;
          const auto found = std::ranges::find(
              references, via, [](const auto& reference) { return reference.offset; });
          fields.push_back(number_of(found->name));
        }
      });
    }
  }
  py::list texts;
  for (const std::string_view name : names) {
    texts.append(to_str(name));
  }
  return py::make_tuple(Column(std::move(sources)), Column(std::move(targets)),
                        Column(std::move(fields)), Column(std::move(elements)), texts);
}

// The numbers in the fields of a slice of objects.
struct Primitives {
  std::vector<std::uint64_t> objects;
  std::vector<std::int32_t> fields;  // numbers among the names
  std::vector<std::int32_t> types;
  std::vector<std::int64_t> integers;  // 0 for float and double
  std::vector<double> reals;           // 0 for the others
  std::vector<std::string_view> names;
  std::unordered_map<std::string_view, std::int32_t> numbers;

  void add(std::uint64_t object, const heap::FieldOf& field, const std::uint8_t* from) {
    const auto [entry, is_new] =
        numbers.try_emplace(field.name, static_cast<std::int32_t>(names.size()));
    if (is_new) {
      names.push_back(field.name);
    }
    objects.push_back(object);
    fields.push_back(entry->second);
    types.push_back(static_cast<std::int32_t>(field.type));
    const bool is_real =
        field.type == heap::BasicType::kFloat || field.type == heap::BasicType::kDouble;
    integers.push_back(is_real ? 0 : integer_of(field.type, from));
    reals.push_back(is_real ? real_of(field.type, from) : 0.0);
  }

 private:
  static std::int64_t integer_of(heap::BasicType type, const std::uint8_t* from) {
    switch (type) {
      case heap::BasicType::kBoolean:
        return static_cast<std::int64_t>(*from != 0);
      case heap::BasicType::kByte:
        return static_cast<std::int8_t>(*from);
      case heap::BasicType::kChar:
        return heap::load<std::uint16_t>(from);
      case heap::BasicType::kShort:
        return static_cast<std::int16_t>(heap::load<std::uint16_t>(from));
      case heap::BasicType::kInt:
        return static_cast<std::int32_t>(heap::load<std::uint32_t>(from));
      default:
        return static_cast<std::int64_t>(heap::load<std::uint64_t>(from));
    }
  }

  static double real_of(heap::BasicType type, const std::uint8_t* from) {
    return type == heap::BasicType::kFloat
               ? static_cast<double>(std::bit_cast<float>(heap::load<std::uint32_t>(from)))
               : std::bit_cast<double>(heap::load<std::uint64_t>(from));
  }
};

// Adds the fields of an instance, those of its class first, as the dump has them.
void add_instance(const heap::Dump& dump, Object object, Primitives& found) {
  const auto contents = dump.contents(object);
  std::size_t offset = 0;
  const heap::ClassOf* type = &dump.class_of(object);
  for (; type != nullptr; type = dump.superclass(*type)) {
    for (const heap::FieldOf& field : type->fields) {
      const std::size_t size = dump.size_of(field.type);
      if (offset + size > contents.size()) {
        return;
      }
      if (field.type != heap::BasicType::kObject) {
        found.add(dump.id_of(object), field, &contents[offset]);
      }
      offset += size;
    }
  }
}

// Returns object, field (its number among the names), type, integer, real, and the names.
py::tuple primitive_columns(const HeapDump& self, std::uint64_t first, std::uint64_t count) {
  const heap::Dump& dump = self.dump();
  const auto [begin, end] = slice_of(self, first, count);
  Primitives found;
  {
    const py::gil_scoped_release released;
    for (Object object = begin; object < end; ++object) {
      const heap::Shape shape = dump.shape_of(object);
      if (shape == heap::Shape::kInstance) {
        add_instance(dump, object, found);
      } else if (shape == heap::Shape::kClass) {
        for (const heap::FieldOf& field : dump.classes()[dump.class_of_mirror(object)].statics) {
          if (field.type != heap::BasicType::kObject) {
            found.add(dump.id_of(object), field, dump.at(field.position));
          }
        }
      }
    }
  }
  py::list texts;
  for (const std::string_view name : found.names) {
    texts.append(to_str(name));
  }
  return py::make_tuple(Column(std::move(found.objects)), Column(std::move(found.fields)),
                        Column(std::move(found.types)), Column(std::move(found.integers)),
                        Column(std::move(found.reals)), texts);
}

// Returns id, offsets of the texts, their UTF-8, length in UTF-16 units.
py::tuple string_columns(const HeapDump& self, std::uint64_t first, std::uint64_t count,
                         std::size_t most) {
  const auto [begin, end] = slice_of(self, first, count);
  std::vector<std::uint64_t> ids;
  std::vector<std::int64_t> offsets{0};
  std::vector<char> bytes;
  std::vector<std::int32_t> lengths;
  {
    const py::gil_scoped_release released;
    for (Object object = begin; object < end; ++object) {
      if (const auto text = self.strings().text(object, most)) {
        ids.push_back(self.dump().id_of(object));
        bytes.insert(bytes.end(), text->utf8.begin(), text->utf8.end());
        offsets.push_back(static_cast<std::int64_t>(bytes.size()));
        lengths.push_back(static_cast<std::int32_t>(text->length));
      }
    }
  }
  return py::make_tuple(Column(std::move(ids)), Column(std::move(offsets)),
                        Column(std::move(bytes)), Column(std::move(lengths)));
}

}  // namespace

void register_heap_tables(py::module_& module, py::class_<HeapDump>& type) {
  py::class_<Column>(module, "HeapColumn", py::buffer_protocol(),
                     "A slice of a column of a table, as a buffer.")
      .def_buffer(&Column::buffer);
  type.def("instance_columns", &instance_columns, py::arg("first"), py::arg("count"))
      .def("reference_columns", &reference_columns, py::arg("first"), py::arg("count"))
      .def("primitive_columns", &primitive_columns, py::arg("first"), py::arg("count"))
      .def("string_columns", &string_columns, py::arg("first"), py::arg("count"), py::arg("most"));
}

}  // namespace jvmdebug::python
