// SPDX-License-Identifier: Apache-2.0
//
// The names by which the agent's classes in the program are known: see CodeVersions.
#pragma once

namespace jvmdebug::agent::code {

// What the names of the agent's classes in the packages of the program begin with.
inline constexpr const char* kCheckPrefix = "JvmdebugProbe";

// The class that reports exceptions: nothing in it is reported, and its frames are shown.
inline constexpr const char* kHookSignature = "Ljava/lang/JvmdebugThrows;";

}  // namespace jvmdebug::agent::code
