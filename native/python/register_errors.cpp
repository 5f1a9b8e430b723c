// SPDX-License-Identifier: Apache-2.0
#include <exception>

#include "python/errors.h"
#include "python/register.h"

namespace jvmdebug::python {

namespace py = pybind11;

void register_errors(py::module_& module) {
  py::register_exception<WireException>(module, "WireError", PyExc_ValueError).doc() =
      "The bytes are not the JDWP that was expected, or a value does not fit the wire.";
  py::register_local_exception_translator([](std::exception_ptr raised) {
    try {
      if (raised) {
        std::rethrow_exception(raised);
      }
    } catch (const TypeException& error) {
      PyErr_SetString(PyExc_TypeError, error.what());
    }
  });
}

}  // namespace jvmdebug::python
