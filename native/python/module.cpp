// SPDX-License-Identifier: Apache-2.0
//
// The module jvmdebug._native: the codec of native/codec for the Python core.
#include "python/register.h"

PYBIND11_MODULE(_native, module) {
  module.doc() = "The bytes of JDWP: packets, and the payloads of the generated dataclasses.";
  jvmdebug::python::register_errors(module);
  jvmdebug::python::register_id_sizes(module);
  jvmdebug::python::register_codec(module);
  jvmdebug::python::register_packets(module);
}
