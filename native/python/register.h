// SPDX-License-Identifier: Apache-2.0
//
// The parts of the module jvmdebug._native, one in each register_<topic>.cpp. To add a topic:
//   1. write register_<topic>.cpp with `void register_<topic>(pybind11::module_& module)`,
//   2. declare it here and call it in module.cpp,
//   3. write its types into jvmdebug/_native.pyi.
#pragma once

#include <pybind11/pybind11.h>

namespace jvmdebug::python {

void register_errors(pybind11::module_& module);
void register_id_sizes(pybind11::module_& module);
void register_codec(pybind11::module_& module);
void register_packets(pybind11::module_& module);
void register_heap(pybind11::module_& module);
void register_log(pybind11::module_& module);

}  // namespace jvmdebug::python
