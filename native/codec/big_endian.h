// SPDX-License-Identifier: Apache-2.0
//
// Converts numbers to and from the byte order of the wire, most significant byte first; both ways
// are the same swap.
#pragma once

#include <bit>
#include <concepts>

namespace jvmdebug::codec {

template <std::unsigned_integral Number>
[[nodiscard]] constexpr Number big_endian(Number number) {
  return std::endian::native == std::endian::big ? number : std::byteswap(number);
}

}  // namespace jvmdebug::codec
