// SPDX-License-Identifier: Apache-2.0
//
// The names of the classes that the agent defines in the program: see CodeVersions.
#pragma once

namespace jvmdebug::agent::code {

// Class names of checks, which are in the packages of the program, begin with this.
inline constexpr const char* kCheckPrefix = "JvmdebugProbe";

// The class that reports exceptions. No event is reported in it; debuggers see its frames as frames
// of the program's code that called it.
inline constexpr const char* kHookSignature = "Ljava/lang/JvmdebugThrows;";

// The class that flags of branches are set by. The same is true of it.
inline constexpr const char* kCoverageSignature = "Ljava/lang/JvmdebugCoverage;";

// The class that records what code does, likewise.
inline constexpr const char* kRecorderSignature = "Ljava/lang/JvmdebugRecorder;";
// What is called by it.
inline constexpr const char* kRecordedObjectsSignature = "Ljava/lang/JvmdebugRecordedObjects;";

}  // namespace jvmdebug::agent::code
