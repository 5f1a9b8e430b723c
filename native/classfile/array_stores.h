// SPDX-License-Identifier: Apache-2.0
//
// Which instructions of a method's code store into arrays. Knows bytes only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace jvmdebug::classfile {

// The instruction that stores into an array, by the first letter of the signature of its elements;
// nothing for another letter.
[[nodiscard]] std::optional<std::uint8_t> store_of_elements(char letter);

// Where instructions with that opcode are, in order.
[[nodiscard]] std::vector<std::size_t> array_stores(std::span<const std::uint8_t> code,
                                                    std::uint8_t opcode);

}  // namespace jvmdebug::classfile
