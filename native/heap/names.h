// SPDX-License-Identifier: Apache-2.0
//
// Names of classes as Java writes them, from those in a dump: java/lang/String, [[I, [Lshop/Cart;.
// A hidden class is shop.Cart$$Lambda/0x01, as Class.getName has it.
#pragma once

#include <string>
#include <string_view>

namespace jvmdebug::heap {

[[nodiscard]] std::string java_name(std::string_view internal);

// The type of elements of type `letter`: int for I. Empty for none.
[[nodiscard]] std::string_view primitive_name(char letter);

}  // namespace jvmdebug::heap
