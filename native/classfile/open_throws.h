// SPDX-License-Identifier: Apache-2.0
//
// Where a method throws something that it has neither made nor caught itself: what a field, a
// parameter or another method has given it. Of the others one knows when the exception is made, or
// caught. Knows bytes only.
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

// The throw instructions for which that may be, in order: all those in doubt. Of the handlers only
// their places are looked at.
[[nodiscard]] std::vector<std::size_t> open_throws(std::span<const std::uint8_t> code,
                                                   std::span<const ExceptionHandler> handlers,
                                                   const IsConstructor& is_constructor);

}  // namespace jvmdebug::classfile
