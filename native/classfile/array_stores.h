// SPDX-License-Identifier: Apache-2.0
//
// Finds the instructions of a method's code that store into arrays. Works on bytes only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace jvmdebug::classfile {

// Returns the opcode that stores into an array, by the first letter of the signature of its
// elements; nothing for another letter.
[[nodiscard]] std::optional<std::uint8_t> store_of_elements(char letter);

// Finds the instructions with that opcode, in order.
[[nodiscard]] std::vector<std::size_t> array_stores(std::span<const std::uint8_t> code,
                                                    std::uint8_t opcode);

}  // namespace jvmdebug::classfile
