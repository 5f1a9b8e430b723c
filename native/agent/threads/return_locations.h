// SPDX-License-Identifier: Apache-2.0
//
// Finds the locations where a thread can continue after its frames were left: after the call in the
// caller, in the exception handlers of all callers, and after each call of native code. Reads a
// stack and the bytecodes of its methods, and changes nothing. Used by ReturnBreakpoints.
#pragma once

#include <jvmti.h>

#include "agent/jvm/code_location.h"
#include "agent/jvm/env.h"

namespace jvmdebug::agent::threads {

struct ReturnLocations {
  jvm::CodeLocations locations;
  // True if the frame was called by native code or by the VM itself, or has no caller: the thread
  // may continue in another method, which only method entry events show.
  bool entries = false;
  // The innermost frame that is left constructs an exception, which the VM throws afterwards.
  bool throws_next = false;
};

// The frames of a stack that are left, counted from the topmost.
struct FramesLeft {
  jint own = 0;    // the frame of the step
  jint first = 0;  // the innermost frame that stays: `own`, or its caller
};

// Finds the locations for a suspended thread, or for the current one (null).
[[nodiscard]] jvm::Result<ReturnLocations> return_locations(const jvm::Env& env, jthread thread,
                                                            const FramesLeft& left);

}  // namespace jvmdebug::agent::threads
