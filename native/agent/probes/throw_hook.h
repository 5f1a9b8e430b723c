// SPDX-License-Identifier: Apache-2.0
//
// The class files by which the agent hears of new exceptions: java.lang.Throwable with a call at
// the end of each constructor, and the class that is called. That one looks whether somebody wants
// exceptions of the class, so that all others cost next to nothing, and only then calls the agent.
// Knows bytes and no VM; ThrowWatch brings them into one.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "agent/probes/rewrite_error.h"

namespace jvmdebug::agent::probes {

// In the package of Throwable, whose module and class loader need no permission for it.
inline constexpr const char* kHookClass = "java/lang/JvmdebugThrows";
inline constexpr const char* kHookSignature = "Ljava/lang/JvmdebugThrows;";
// Its static field, a Class[] that is never null: what is wanted.
inline constexpr const char* kWantedField = "wanted";
inline constexpr const char* kWantedDescriptor = "[Ljava/lang/Class;";

// Its native method is report(Throwable), see main.cpp.
[[nodiscard]] Rewritten<std::vector<std::uint8_t>> hook_class();

[[nodiscard]] Rewritten<std::vector<std::uint8_t>> hooked_throwable(
    std::span<const std::uint8_t> original);

}  // namespace jvmdebug::agent::probes
