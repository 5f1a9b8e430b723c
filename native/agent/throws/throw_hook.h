// SPDX-License-Identifier: Apache-2.0
//
// The code by which Throwable reports new exceptions to the agent: a call at the end of each of its
// constructors, and the names in the class that is called, JvmdebugThrows
// (native/agent/java/java/lang/JvmdebugThrows.java). Classes that throw something which they have
// not made call it too (throw_checks.h). Makes bytes only; ThrowWatch loads the class into the VM,
// and ThrowCalls has Throwable call it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "classfile/class_file.h"
#include "classfile/relocation.h"
#include "classfile/rewrite_error.h"

namespace jvmdebug::agent::throws {

// The class is in the package of Throwable, so the call needs no permission of a module or class
// loader.
inline constexpr const char* kHookClass = "java/lang/JvmdebugThrows";
// The static Class[] field, never null, of the classes for which there are requests.
inline constexpr const char* kRequestedField = "requested";
inline constexpr const char* kRequestedDescriptor = "[Ljava/lang/Class;";

// The static long[] field of this length, with hashes of ignored throws. It is replaced to forget
// them.
inline constexpr const char* kIgnoredField = "ignored";
inline constexpr const char* kIgnoredDescriptor = "[J";
inline constexpr int kIgnoredBits = 13;
inline constexpr int kIgnoredLength = 1 << kIgnoredBits;

// The field of Throwable in which HotSpot keeps the frames.
inline constexpr const char* kBacktraceField = "backtrace";
inline constexpr const char* kBacktraceDescriptor = "Ljava/lang/Object;";

// The number that the calls in Throwable have in the code. No check has it.
inline constexpr std::uint16_t kThrowReport = UINT16_MAX;

// The method that takes an exception which is about to be thrown.
inline constexpr const char* kThrown = "thrown";
inline constexpr const char* kThrownDescriptor = "(Ljava/lang/Throwable;)V";

// The number of frames above the frame of the program: report(), look() and constructed() while
// report() runs; reached(), throwing() and thrown() while reached() runs.
inline constexpr std::size_t kHookFrames = 3;

// What the native methods (main.cpp) return for a virtual thread that has to wait in Java, parked,
// until waits() says that it may go on. Otherwise report(Throwable) returns how many frames of the
// stack trace decided that the throw is ignored, 0 if it is not, and reached(Throwable) returns 0.
inline constexpr int kThrowWaits = -1;

struct ThrowReports {
  bool has_backtrace = false;  // whether the VM's Throwable has that field
};

using classfile::MethodInsertions;

// Adds the calls at the ends of the constructors of Throwable, in front of what else is inserted
// there. They are marked like probes, with the number kThrowReport.
[[nodiscard]] classfile::Rewritten<void> add_throw_reports(classfile::ClassFile& file,
                                                           ThrowReports reports,
                                                           MethodInsertions& insertions);

}  // namespace jvmdebug::agent::throws
