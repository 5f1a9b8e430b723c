// SPDX-License-Identifier: Apache-2.0
//
// Texts of the system's errors. Used by the implementations for Windows only.
#pragma once

#include <string>

namespace jvmdebug::agent::platform {

// The text in UTF-8, without the end of its line.
[[nodiscard]] std::string text_of_error(unsigned long error);

}  // namespace jvmdebug::agent::platform
