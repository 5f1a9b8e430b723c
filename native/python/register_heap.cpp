// SPDX-License-Identifier: Apache-2.0
//
// HeapDump: the reader of native/heap for Python. Objects are numbers. Long work runs without the
// GIL and calls `progress` with it; an exception of `progress` ends the work.
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <pybind11/stl.h>

#include "python/heap_dump.h"
#include "python/register.h"

namespace jvmdebug::python {

namespace py = pybind11;

namespace {

using heap::kNone;
using heap::Object;

py::list classes_of(const HeapDump& self) {
  py::list all;
  for (const heap::ClassOf& type : self.dump().classes()) {
    all.append(py::make_tuple(type.id, to_str(type.name), type.super_id, type.loader_id,
                              type.shallow_size));
  }
  return all;
}

py::list histogram(const HeapDump& self) {
  const heap::Dump& dump = self.dump();
  std::vector<std::uint64_t> counts(dump.classes().size());
  std::vector<std::uint64_t> sizes(dump.classes().size());
  {
    const py::gil_scoped_release released;
    for (Object object = 0; object < dump.object_count(); ++object) {
      ++counts[dump.class_index(object)];
      sizes[dump.class_index(object)] += dump.shallow_size(object);
    }
  }
  py::list rows;
  for (std::size_t index = 0; index < counts.size(); ++index) {
    if (counts[index] > 0) {
      rows.append(py::make_tuple(index, counts[index], sizes[index]));
    }
  }
  return rows;
}

std::vector<Object> instances_of(const HeapDump& self, const std::vector<std::uint32_t>& classes,
                                 std::size_t skip, std::size_t most) {
  const heap::Dump& dump = self.dump();
  std::vector<bool> wanted(dump.classes().size());
  for (const std::uint32_t type : classes) {
    wanted.at(type) = true;
  }
  std::vector<Object> found;
  for (Object object = 0; object < dump.object_count() && found.size() < most; ++object) {
    if (wanted[dump.class_index(object)]) {
      if (skip > 0) {
        --skip;
      } else {
        found.push_back(object);
      }
    }
  }
  return found;
}

py::tuple describe(const HeapDump& self, std::uint64_t number) {
  const Object object = self.checked(number);
  const heap::Dump& dump = self.dump();
  const std::uint32_t mirror = dump.class_of_mirror(object);
  const heap::Shape shape = dump.shape_of(object);
  const bool is_array = shape == heap::Shape::kObjectArray || shape == heap::Shape::kPrimitiveArray;
  return py::make_tuple(dump.id_of(object), dump.class_index(object), dump.shallow_size(object),
                        is_array ? py::object(py::int_(dump.length_of(object))) : py::none(),
                        mirror == kNone ? py::object(py::none()) : py::object(py::int_(mirror)));
}

py::object string_of(const HeapDump& self, std::uint64_t object, std::size_t most) {
  const auto text = self.strings().text(self.checked(object), most);
  if (!text) {
    return py::none();
  }
  return py::make_tuple(to_str(text->utf8), text->length);
}

py::list duplicates(const HeapDump& self, std::size_t most, const py::object& progress) {
  const auto found = while_reporting(progress, [&](const heap::Progress& report) {
    return self.strings().duplicates(most, report);
  });
  py::list rows;
  for (const auto& each : found) {
    rows.append(py::make_tuple(each.first, each.count, each.wasted));
  }
  return rows;
}

py::tuple root_tuple(const heap::RootOf& root) {
  return py::make_tuple(root.object, root.kind, root.thread, root.frame, root.slot);
}

py::list roots_of(const HeapDump& self) {
  py::list rows;
  for (const heap::RootOf& root : self.dump().roots()) {
    rows.append(root_tuple(root));
  }
  return rows;
}

py::list paths_of(HeapDump& self, std::uint64_t number, std::size_t most) {
  const Object object = self.checked(number);
  const heap::Graph& graph = self.graph();
  std::vector<heap::Graph::Path> paths;
  {
    const py::gil_scoped_release released;
    paths = graph.paths_to_roots(object, most);
  }
  py::list rows;
  for (const auto& path : paths) {
    py::list steps;
    for (std::size_t index = 0; index < path.objects.size(); ++index) {
      const Object each = path.objects[index];
      const bool is_last = index + 1 == path.objects.size();
      steps.append(py::make_tuple(
          each, to_str(is_last ? std::string() : graph.name_of(each, path.objects[index + 1]))));
    }
    const py::object root = path.root == kNone
                                ? py::object(py::none())
                                : py::object(root_tuple(self.dump().roots()[path.root]));
    rows.append(py::make_tuple(root, steps));
  }
  return rows;
}

py::list frames_of(const HeapDump& self, std::uint32_t thread) {
  py::list rows;
  for (const heap::FrameOf& frame : self.dump().frames_of(thread)) {
    rows.append(py::make_tuple(to_str(frame.class_name), to_str(frame.method), to_str(frame.source),
                               frame.line));
  }
  return rows;
}

py::object optional_object(Object object) {
  return object == kNone ? py::object(py::none()) : py::object(py::int_(object));
}

// Returns the object that a field of an instance refers to; None for null, for a primitive field,
// and if there is no such field.
py::object field_of(const HeapDump& self, std::uint64_t number, const std::string& name) {
  const Object object = self.checked(number);
  const heap::Dump& dump = self.dump();
  if (dump.shape_of(object) != heap::Shape::kInstance) {
    return py::none();
  }
  const auto place = dump.field(dump.class_index(object), name);
  const auto contents = dump.contents(object);
  if (!place.found || place.type != heap::BasicType::kObject ||
      place.offset + dump.id_size() > contents.size()) {
    return py::none();
  }
  return optional_object(dump.find(dump.id_at(&contents[place.offset])));
}

py::list referrers_of(HeapDump& self, std::uint64_t number, std::size_t most) {
  const Object object = self.checked(number);
  py::list rows;
  for (const Object referrer : self.graph().to(object)) {
    if (rows.size() == most) {
      break;
    }
    rows.append(py::make_tuple(referrer, to_str(self.graph().name_of(referrer, object))));
  }
  return rows;
}

}  // namespace

void register_heap(py::module_& module) {
  py::register_exception<heap::DumpError>(module, "HeapFileError", PyExc_ValueError).doc() =
      "The file cannot be read, or is no heap dump.";
  const auto none = py::none();
  py::class_<HeapDump> type(module, "HeapDump", "A heap dump in a file; objects are numbers.");
  type.def(py::init<const std::string&, const py::object&>(), py::arg("path"),
           py::arg("progress") = none)
      .def_property_readonly("object_count",
                             [](const HeapDump& self) { return self.dump().object_count(); })
      .def_property_readonly("is_cut", [](const HeapDump& self) { return self.dump().is_cut(); })
      .def_property_readonly("ignored_bytes",
                             [](const HeapDump& self) { return self.dump().ignored(); })
      .def_property_readonly("file_size",
                             [](const HeapDump& self) { return self.dump().file_size(); })
      .def("classes", &classes_of)
      .def("histogram", &histogram)
      .def("instances", &instances_of, py::arg("classes"), py::arg("skip"), py::arg("most"),
           py::call_guard<py::gil_scoped_release>())
      .def("find", [](const HeapDump& self,
                      std::uint64_t id) { return optional_object(self.dump().find(id)); })
      .def("describe", &describe)
      .def("field", &field_of, py::arg("object"), py::arg("name"))
      .def("string", &string_of, py::arg("object"), py::arg("most"))
      .def("duplicates", &duplicates, py::arg("most"), py::arg("progress") = none)
      .def("roots", &roots_of)
      .def("paths", &paths_of, py::arg("object"), py::arg("most"))
      .def("frames", &frames_of, py::arg("thread"))
      .def("thread_name",
           [](const HeapDump& self, std::uint32_t thread) {
             return to_str(self.dump().thread_name(thread));
           })
      .def("thread_object",
           [](const HeapDump& self, std::uint32_t thread) {
             return optional_object(self.dump().thread_object(thread));
           })
      .def("referrers", &referrers_of, py::arg("object"), py::arg("most"))
      .def("find_references", &HeapDump::find_references, py::arg("progress") = none)
      .def("find_dominators", &HeapDump::find_dominators, py::arg("progress") = none)
      .def("reference_count", [](HeapDump& self) { return self.graph().reference_count(); })
      .def("is_reachable",
           [](HeapDump& self, std::uint64_t object) {
             return self.dominators().is_reachable(self.checked(object));
           })
      .def("reachable",
           [](HeapDump& self) {
             return py::make_tuple(self.dominators().reachable_count(),
                                   self.dominators().reachable_size());
           })
      .def("retained",
           [](HeapDump& self, std::uint64_t object) {
             return self.dominators().retained_size(self.checked(object));
           })
      .def("retained_by",
           [](HeapDump& self, const std::vector<std::uint32_t>& classes) {
             return self.dominators().retained_by(classes);
           })
      .def("retained_by_classes",
           [](HeapDump& self) { return self.dominators().retained_by_classes(); })
      .def("dominator",
           [](HeapDump& self, std::uint64_t object) {
             return optional_object(self.dominators().dominator_of(self.checked(object)));
           })
      .def(
          "dominated",
          [](HeapDump& self, std::optional<std::uint64_t> object, std::size_t most) {
            const Object above = object ? self.checked(*object) : kNone;
            return self.dominators().dominated_by(above, most);
          },
          py::arg("object"), py::arg("most"));
  register_heap_tables(module, type);
}

}  // namespace jvmdebug::python
