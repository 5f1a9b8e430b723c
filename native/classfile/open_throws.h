// SPDX-License-Identifier: Apache-2.0
//
// Finds where a method throws an exception that it has neither constructed nor caught itself, but
// got from a field, a parameter or another method. The others are noticed when the exception is
// constructed or caught. Works on bytes only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "classfile/code.h"

namespace jvmdebug::classfile {

// Whether an invokespecial calls a constructor.
using IsConstructor = std::function<bool(std::size_t at)>;

// Returns the throw instructions for which that may be true, in order, including all doubtful ones.
// Of the handlers only the positions are used.
[[nodiscard]] std::vector<std::size_t> open_throws(std::span<const std::uint8_t> code,
                                                   std::span<const ExceptionHandler> handlers,
                                                   const IsConstructor& is_constructor);

}  // namespace jvmdebug::classfile
