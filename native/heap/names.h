// SPDX-License-Identifier: Apache-2.0
//
// Converts names of classes in a dump (java/lang/String, [[I, [Lshop/Cart;) to those of Java. A
// hidden class is shop.Cart$$Lambda/0x01, as from Class.getName.
#pragma once

#include <string>
#include <string_view>

namespace jvmdebug::heap {

[[nodiscard]] std::string java_name(std::string_view internal);

// Returns the name of the primitive type `letter`: int for I. Empty if there is none.
[[nodiscard]] std::string_view primitive_name(char letter);

}  // namespace jvmdebug::heap
