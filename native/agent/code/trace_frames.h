// SPDX-License-Identifier: Apache-2.0
//
// Reads the stack trace that HotSpot keeps in a Throwable, without the code of
// Throwable.getStackTrace(): that takes the lock of the exception, which a suspended thread may
// hold, and classes of the program may replace it.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <jvmti.h>

#include "agent/jvm/env.h"
#include "agent/jvm/jni.h"

namespace jvmdebug::agent::code {

struct TraceFrame {
  jvm::LocalRef<jclass> type;  // null if the VM does not give it
  std::string class_name;      // a.b.C
  std::string method;
  std::string file;  // empty if it is not known
  jint line = 0;     // as StackTraceElement has it
};

// Returns the topmost frames, at most so many; none if the trace cannot be read or was never taken.
[[nodiscard]] std::vector<TraceFrame> trace_frames(const jvm::Env& env, const jvm::Jni& jni,
                                                   jobject throwable, std::size_t most);

}  // namespace jvmdebug::agent::code
