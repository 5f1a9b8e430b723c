// SPDX-License-Identifier: Apache-2.0
//
// Finds what an exception handler does with the exception, as far as its code tells. Works on bytes
// only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace jvmdebug::classfile {

// Returns every instruction that control can reach from `from` without an exception, in order.
// Empty for malformed code.
[[nodiscard]] std::vector<std::size_t> reachable(std::span<const std::uint8_t> code,
                                                 std::size_t from);

// Returns the local variable into which the instruction stores a reference, -1 if it does not.
[[nodiscard]] int stored_variable(std::span<const std::uint8_t> code, std::size_t at);

// Returns the local variable whose reference the instruction pushes, -1 if it does not.
[[nodiscard]] int loaded_variable(std::span<const std::uint8_t> code, std::size_t at);

// Returns the local variable that the instruction before `at` pushes, -1 if that is another
// instruction.
[[nodiscard]] int pushed_variable(std::span<const std::uint8_t> code, std::size_t at);

// Finds where a handler throws again what it has caught.
[[nodiscard]] std::vector<std::size_t> rethrow_sites(std::span<const std::uint8_t> code,
                                                     std::size_t handler);

// Whether a handler always throws again what it has caught, like those of `finally`, of
// synchronized code, and of try-with-resources. Then the exception does not count as caught there.
[[nodiscard]] bool only_rethrows(std::span<const std::uint8_t> code, std::size_t handler);

}  // namespace jvmdebug::classfile
