// SPDX-License-Identifier: Apache-2.0
//
// Tells class files apart by what the code that is put into them depends on.
#pragma once

#include <cstdint>

#include "classfile/class_file.h"

namespace jvmdebug::agent::by_pattern {

// Returns a number of the code of the methods, with lines and handlers and the members that they
// name, and of `variant`.
[[nodiscard]] std::uint64_t content_of(const classfile::ClassFile& file, std::uint64_t variant);

}  // namespace jvmdebug::agent::by_pattern
