// SPDX-License-Identifier: Apache-2.0
//
// UTF-8 and the UTF-16 of Windows. Used by the implementations for Windows only.
#pragma once

#include <string>
#include <string_view>

namespace jvmdebug::agent::platform {

// What is no UTF-8 is in the code page of the system.
[[nodiscard]] std::wstring wide(std::string_view text);
[[nodiscard]] std::string narrow(std::wstring_view text);

}  // namespace jvmdebug::agent::platform
