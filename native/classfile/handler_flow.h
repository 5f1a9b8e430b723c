// SPDX-License-Identifier: Apache-2.0
//
// What an exception handler does with the exception, as far as its code tells. Knows bytes only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace jvmdebug::classfile {

// What follows an instruction without an exception: every instruction that control can reach from
// `from` on, in order. Empty for code that is malformed.
[[nodiscard]] std::vector<std::size_t> reachable(std::span<const std::uint8_t> code,
                                                 std::size_t from);

// The local variable into which the instruction stores a reference, -1 if it does not.
[[nodiscard]] int stored_variable(std::span<const std::uint8_t> code, std::size_t at);

// The one whose reference it pushes, -1 if it does not.
[[nodiscard]] int loaded_variable(std::span<const std::uint8_t> code, std::size_t at);

// The local variable that the instruction before `at` has pushed, -1 if it was another one.
[[nodiscard]] int pushed_variable(std::span<const std::uint8_t> code, std::size_t at);

// Where a handler throws what it has caught again, if it does.
[[nodiscard]] std::vector<std::size_t> rethrow_sites(std::span<const std::uint8_t> code,
                                                     std::size_t handler);

// Whether a handler throws what it has caught again, whatever happens between: that of `finally`,
// of synchronized code, of try-with-resources. Then the exception is not caught there.
[[nodiscard]] bool only_rethrows(std::span<const std::uint8_t> code, std::size_t handler);

}  // namespace jvmdebug::classfile
