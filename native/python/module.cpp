// SPDX-License-Identifier: Apache-2.0
//
// The module jvmdebug._native. It gives the Python core the codec of native/codec, the reader of
// heap dumps of native/heap, and the writer of log point lines.
#include "python/register.h"

PYBIND11_MODULE(_native, module) {
  module.doc() =
      "The bytes of JDWP: packets, and the payloads of the generated dataclasses. Heap dumps. "
      "Lines "
      "of log points.";
  jvmdebug::python::register_errors(module);
  jvmdebug::python::register_id_sizes(module);
  jvmdebug::python::register_codec(module);
  jvmdebug::python::register_packets(module);
  jvmdebug::python::register_heap(module);
  jvmdebug::python::register_log(module);
}
