// SPDX-License-Identifier: Apache-2.0
//
// The code that reports new exceptions to the agent: the call at the end of each constructor of
// java.lang.Throwable, and the names of the class that is called, java/java/lang/JvmdebugThrows,
// also by what throws something that it has not made (throw_checks.h). Makes bytes only; ThrowWatch
// loads that class into the VM, and ThrowCalls has Throwable call it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "classfile/class_file.h"
#include "classfile/relocation.h"
#include "classfile/rewrite_error.h"

namespace jvmdebug::agent::throws {

// In the package of Throwable, whose module and class loader need no permission for it.
inline constexpr const char* kHookClass = "java/lang/JvmdebugThrows";
// Its static field, a Class[] that is never null: the classes for which there are requests.
inline constexpr const char* kRequestedField = "requested";
inline constexpr const char* kRequestedDescriptor = "[Ljava/lang/Class;";

// Its static field, a long[] of this length: hashes of ignored throws. Replaced to forget them.
inline constexpr const char* kIgnoredField = "ignored";
inline constexpr const char* kIgnoredDescriptor = "[J";
inline constexpr int kIgnoredBits = 13;
inline constexpr int kIgnoredLength = 1 << kIgnoredBits;

// The field of Throwable in which HotSpot keeps the frames.
inline constexpr const char* kBacktraceField = "backtrace";
inline constexpr const char* kBacktraceDescriptor = "Ljava/lang/Object;";

// The number, in the code, of the calls in Throwable. No check has it.
inline constexpr std::uint16_t kThrowReport = UINT16_MAX;

// Its method that takes an exception which is about to be thrown.
inline constexpr const char* kThrown = "thrown";
inline constexpr const char* kThrownDescriptor = "(Ljava/lang/Throwable;)V";

// While report() runs: report, look, constructed. And while reached() does: reached, throwing,
// thrown.
inline constexpr std::size_t kHookFrames = 3;

// Its native methods, see main.cpp. report(Throwable) returns how many frames of the stack trace
// decided that the throw is ignored, 0 if it is not, or this: the thread is to wait in Java,
// parked, until waits() says that it may go on. reached(Throwable) returns 0 or that.
inline constexpr int kThrowWaits = -1;

struct ThrowReports {
  bool has_backtrace = false;  // the VM's Throwable has that field
};

using classfile::MethodInsertions;

// Adds the calls at the ends of the constructors of the class, which is Throwable, in front of what
// else is inserted there. They are marked as probes are, with the number kThrowReport.
[[nodiscard]] classfile::Rewritten<void> add_throw_reports(classfile::ClassFile& file,
                                                           ThrowReports reports,
                                                           MethodInsertions& insertions);

}  // namespace jvmdebug::agent::throws
