// SPDX-License-Identifier: Apache-2.0
//
// Numbers as the wire has them, most significant byte first, and back: the same exchange both ways.
#pragma once

#include <bit>
#include <concepts>

namespace jvmdebug::codec {

template <std::unsigned_integral Number>
[[nodiscard]] constexpr Number big_endian(Number number) {
  return std::endian::native == std::endian::big ? number : std::byteswap(number);
}

}  // namespace jvmdebug::codec
