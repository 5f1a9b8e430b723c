// SPDX-License-Identifier: Apache-2.0
//
// Where control can go in a method's code, as far as the code alone tells. JVM TI gives no
// exception tables, but a handler is code that nothing jumps or falls to: what the normal flow from
// the first instruction does not reach is there for exceptions. Knows no JVM TI; the code is what
// GetBytecodes gives. Used to see a frame end where the VM offers no frame pop events
// (ReturnBreakpoints).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace jvmdebug::classfile {

// The beginnings of all blocks that only exceptions lead to, the exception handlers among them, in
// order. Empty also for code that is malformed.
[[nodiscard]] std::vector<std::size_t> exception_blocks(std::span<const std::uint8_t> code);

// Whether `at` is one of them.
[[nodiscard]] bool only_exceptions_lead_to(std::span<const std::uint8_t> code, std::size_t at);

// Whether the next instruction may follow. That of a jsr may, by the subroutine's ret.
[[nodiscard]] bool falls_through(std::span<const std::uint8_t> code, std::size_t at);

// invokevirtual, invokespecial, invokestatic, invokeinterface, invokedynamic.
[[nodiscard]] bool is_invoke(std::span<const std::uint8_t> code, std::size_t at);
[[nodiscard]] bool is_invokespecial(std::span<const std::uint8_t> code, std::size_t at);

// The instruction after the one at `at`, when that falls through to it always.
[[nodiscard]] std::optional<std::size_t> next_instruction(std::span<const std::uint8_t> code,
                                                          std::size_t at);

}  // namespace jvmdebug::classfile
