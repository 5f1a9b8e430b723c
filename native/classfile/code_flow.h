// SPDX-License-Identifier: Apache-2.0
//
// The control flow of a method's code, as far as the code alone tells. JVM TI gives no exception
// tables, but exception handlers are code that nothing jumps or falls through to: what the normal
// flow from the first instruction does not reach is for exceptions. Independent of JVM TI; the code
// is as from GetBytecodes. Used to detect the end of a frame when the VM offers no frame pop events
// (ReturnBreakpoints).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace jvmdebug::classfile {

// Returns the beginnings of all blocks that only exceptions lead to, including the exception
// handlers, in order. Empty also for malformed code.
[[nodiscard]] std::vector<std::size_t> exception_blocks(std::span<const std::uint8_t> code);

// Whether `at` is one of them.
[[nodiscard]] bool only_exceptions_lead_to(std::span<const std::uint8_t> code, std::size_t at);

// Whether control may continue at the next instruction. After a jsr it may, by the subroutine's
// ret.
[[nodiscard]] bool falls_through(std::span<const std::uint8_t> code, std::size_t at);

// Whether the instruction is invokevirtual, invokespecial, invokestatic, invokeinterface or
// invokedynamic.
[[nodiscard]] bool is_invoke(std::span<const std::uint8_t> code, std::size_t at);
[[nodiscard]] bool is_invokespecial(std::span<const std::uint8_t> code, std::size_t at);

// Returns the instruction after the one at `at` if control always continues there.
[[nodiscard]] std::optional<std::size_t> next_instruction(std::span<const std::uint8_t> code,
                                                          std::size_t at);

}  // namespace jvmdebug::classfile
