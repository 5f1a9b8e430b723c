// SPDX-License-Identifier: Apache-2.0
//
// Three encodings meet in the agent: UTF-8 on the wire, modified UTF-8 in JVM TI and JNI (U+0000 as
// C0 80, characters beyond the BMP as two surrogates of three bytes each), UTF-16 in Java strings.
// Lone surrogates survive every conversion: they are sent as three bytes, as by the JDK's own
// agent.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace jvmdebug::agent::jvm {

// Modified UTF-8 → UTF-8 of the wire.
[[nodiscard]] std::string utf8_from_modified(std::string_view modified);

// UTF-8 of the wire → modified UTF-8. Invalid bytes become U+FFFD.
[[nodiscard]] std::string modified_from_utf8(std::string_view utf8);

// UTF-16 → UTF-8 of the wire; the first function appends to `out`.
void append_utf16(std::string& out, std::span<const char16_t> units);
[[nodiscard]] std::string utf8_from_utf16(std::span<const char16_t> units);

// UTF-8 of the wire → UTF-16. Invalid bytes become U+FFFD.
[[nodiscard]] std::u16string utf16_from_utf8(std::string_view utf8);

}  // namespace jvmdebug::agent::jvm
