// SPDX-License-Identifier: Apache-2.0
//
// Where the instructions of a method's code begin, and which local variables they change. The VM
// does not check: a breakpoint inside an instruction overwrites an operand. Knows no JVM TI; the
// code is what GetBytecodes gives, without breakpoints and without the VM's own opcodes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace jvmdebug::classfile {

// The bytes of the instruction that begins at `at`; 0 when none can begin there.
[[nodiscard]] std::size_t instruction_size(std::span<const std::uint8_t> code, std::size_t at);

// Whether an instruction begins at `index`, counted from the first one.
[[nodiscard]] bool begins_instruction(std::span<const std::uint8_t> code, std::int64_t index);

// What the code stores into a local variable, a letter for each store: I J F D A by the type of the
// instruction, - for the second half of a long or double. iinc changes no type and is left out.
[[nodiscard]] std::string stores_into(std::span<const std::uint8_t> code, std::int32_t slot);

}  // namespace jvmdebug::classfile
