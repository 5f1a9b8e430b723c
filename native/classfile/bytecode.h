// SPDX-License-Identifier: Apache-2.0
//
// Finds where the instructions of a method's code begin, and which local variables they change. The
// VM does not check that: a breakpoint inside an instruction overwrites an operand. Independent of
// JVM TI; the code is as from GetBytecodes, without breakpoints and without the VM's own opcodes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace jvmdebug::classfile {

// Returns the size in bytes of the instruction that begins at `at`; 0 when none can begin there.
[[nodiscard]] std::size_t instruction_size(std::span<const std::uint8_t> code, std::size_t at);

// Whether an instruction begins at `index`, counted from the first one.
[[nodiscard]] bool begins_instruction(std::span<const std::uint8_t> code, std::int64_t index);

// Lists the stores of the code into a local variable, a letter for each: I J F D A by the type of
// the instruction, - for the second half of a long or double. iinc does not change the type and is
// left out.
[[nodiscard]] std::string stores_into(std::span<const std::uint8_t> code, std::int32_t slot);

}  // namespace jvmdebug::classfile
