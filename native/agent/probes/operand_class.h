// SPDX-License-Identifier: Apache-2.0
//
// The class file of the class by which a thread reads the operand stack of its topmost frame:
// JVM TI does not offer it, but java.lang.LiveStackFrame does, inside java.lang. Makes bytes only;
// OperandReader loads them into the VM.
#pragma once

#include <cstdint>
#include <vector>

#include "agent/probes/rewrite_error.h"

namespace jvmdebug::agent::probes {

// A class of the agent, by its name: see CodeVersions.
inline constexpr const char* kOperandClass = "java/lang/JvmdebugProbeOperands";
// Its static method, which takes a walker from LiveStackFrame and an instance of the class. Gives
// the operands of the frame that has called it, the topmost one last.
inline constexpr const char* kReadOperands = "read";
inline constexpr const char* kReadOperandsDescriptor =
    "(Ljava/lang/StackWalker;Ljava/util/function/Function;)[Ljava/lang/Object;";

[[nodiscard]] Rewritten<std::vector<std::uint8_t>> operand_class();

}  // namespace jvmdebug::agent::probes
