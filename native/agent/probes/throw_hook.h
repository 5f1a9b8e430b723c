// SPDX-License-Identifier: Apache-2.0
//
// The class files by which the agent hears of new exceptions: java.lang.Throwable with a call at
// the end of each constructor, and the class that is called. That one looks whether somebody wants
// exceptions of the class, so that all others cost next to nothing, and whether it has been settled
// for a stack like this one that nobody does; only then it calls the agent. For that it reads the
// stack trace as HotSpot keeps it, where the frames cost a fraction of what JVM TI takes for them.
// Knows bytes and no VM; ThrowWatch brings them into one.
#pragma once

#include <cstddef>
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

// Its static field, a long[] of this length: what is settled, by hash. A new one forgets.
inline constexpr const char* kSettledField = "settled";
inline constexpr const char* kSettledDescriptor = "[J";
inline constexpr int kSettledBits = 13;
inline constexpr int kSettledLength = 1 << kSettledBits;

// The field of Throwable in which HotSpot keeps the frames.
inline constexpr const char* kBacktraceField = "backtrace";
inline constexpr const char* kBacktraceDescriptor = "Ljava/lang/Object;";

// While report() runs: report, look, constructed.
inline constexpr std::size_t kHookFrames = 3;

// Its native method is report(Throwable), see main.cpp: how many frames of the stack trace have
// settled it, 0 for none.
[[nodiscard]] Rewritten<std::vector<std::uint8_t>> hook_class();

// `has_backtrace`: the VM's Throwable has that field.
[[nodiscard]] Rewritten<std::vector<std::uint8_t>> hooked_throwable(
    std::span<const std::uint8_t> original, bool has_backtrace);

}  // namespace jvmdebug::agent::probes
