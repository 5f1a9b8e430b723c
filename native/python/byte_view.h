// SPDX-License-Identifier: Apache-2.0
//
// The bytes of a Python object (bytes, bytearray, memoryview) for as long as the view lives.
#pragma once

#include <cstdint>
#include <span>

#include <pybind11/pybind11.h>

namespace jvmdebug::python {

class ByteView {
 public:
  explicit ByteView(const pybind11::handle& object) {
    if (PyObject_GetBuffer(object.ptr(), &buffer_, PyBUF_SIMPLE) != 0) {
      throw pybind11::error_already_set();
    }
  }

  ByteView(const ByteView&) = delete;
  ByteView& operator=(const ByteView&) = delete;

  ~ByteView() { PyBuffer_Release(&buffer_); }

  [[nodiscard]] std::span<const std::uint8_t> bytes() const {
    return {static_cast<const std::uint8_t*>(buffer_.buf), static_cast<std::size_t>(buffer_.len)};
  }

 private:
  Py_buffer buffer_{};
};

inline pybind11::bytes to_python(std::span<const std::uint8_t> bytes) {
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): bytes are bytes
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace jvmdebug::python
