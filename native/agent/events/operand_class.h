// SPDX-License-Identifier: Apache-2.0
//
// The names in the class by which a thread reads the operand stack of its topmost frame,
// native/agent/java/java/lang/JvmdebugProbeOperands.java. OperandReader loads it into the VM.
#pragma once

namespace jvmdebug::agent::events {

// The class is one of the agent's by its name: see CodeVersions.
inline constexpr const char* kOperandClass = "java/lang/JvmdebugProbeOperands";
// The name of the static method that returns the operands of the frame that has called it, the
// topmost one last. It takes a walker from LiveStackFrame and an instance of the class.
inline constexpr const char* kReadOperands = "read";
inline constexpr const char* kReadOperandsDescriptor =
    "(Ljava/lang/StackWalker;Ljava/util/function/Function;)[Ljava/lang/Object;";

}  // namespace jvmdebug::agent::events
