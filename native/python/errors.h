// SPDX-License-Identifier: Apache-2.0
//
// The exceptions of this module. They are thrown as C++ exceptions and become Python's at the
// boundary: WireException → jvmdebug._native.WireError, TypeException → TypeError.
#pragma once

#include <stdexcept>

namespace jvmdebug::python {

// The bytes do not fit the layout, or the value does not fit the wire.
class WireException : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// An object of a type that cannot be encoded here: an error of the caller.
class TypeException : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace jvmdebug::python
