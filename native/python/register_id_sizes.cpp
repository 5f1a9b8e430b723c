// SPDX-License-Identifier: Apache-2.0
#include <string>

#include "python/errors.h"
#include "python/id_sizes.h"
#include "python/register.h"

namespace jvmdebug::python {

namespace py = pybind11;

namespace {

std::uint8_t checked(const char* name, int size) {
  if (size != 1 && size != 2 && size != 4 && size != 8) {
    throw WireException(std::string("an id size of ") + std::to_string(size) + " bytes (" + name +
                        "); it can be 1, 2, 4 or 8");
  }
  return static_cast<std::uint8_t>(size);
}

IdSizes make_id_sizes(int field, int method, int object, int reference_type, int frame) {
  return {.field = checked("field", field),
          .method = checked("method", method),
          .object = checked("object", object),
          .reference_type = checked("reference_type", reference_type),
          .frame = checked("frame", frame)};
}

std::string describe_sizes(const IdSizes& sizes) {
  return "IdSizes(field=" + std::to_string(sizes.field) +
         ", method=" + std::to_string(sizes.method) + ", object=" + std::to_string(sizes.object) +
         ", reference_type=" + std::to_string(sizes.reference_type) +
         ", frame=" + std::to_string(sizes.frame) + ")";
}

}  // namespace

void register_id_sizes(py::module_& module) {
  py::class_<IdSizes>(module, "IdSizes", "The sizes of a VM's ids in bytes.")
      .def(py::init(&make_id_sizes), py::arg("field") = 8, py::arg("method") = 8,
           py::arg("object") = 8, py::arg("reference_type") = 8, py::arg("frame") = 8)
      .def_readonly("field", &IdSizes::field)
      .def_readonly("method", &IdSizes::method)
      .def_readonly("object", &IdSizes::object)
      .def_readonly("reference_type", &IdSizes::reference_type)
      .def_readonly("frame", &IdSizes::frame)
      .def("__eq__",
           [](const IdSizes& sizes, const py::object& other) {
             return py::isinstance<IdSizes>(other) && sizes == other.cast<const IdSizes&>();
           })
      .def("__hash__",
           [](const IdSizes& sizes) { return py::hash(py::str(describe_sizes(sizes))); })
      .def("__repr__", &describe_sizes);
}

}  // namespace jvmdebug::python
