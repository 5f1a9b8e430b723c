// SPDX-License-Identifier: Apache-2.0
//
// Where a thread can go on once frames of it are gone: after the call in the caller, in the
// exception handlers of all callers, and after each call that left Java. Looks at a stack and at
// the code of its methods; sets nothing. Used by ReturnBreakpoints.
#pragma once

#include <jvmti.h>

#include "agent/events/breakpoints.h"
#include "agent/jvm/env.h"

namespace jvmdebug::agent::threads {

struct ReturnLocations {
  events::CodeLocations locations;
  // The frame that is to end was called by native code or by the VM itself, or has no caller: the
  // next code may be another method, and only method entries show it.
  bool entries = false;
  // The youngest of those that end constructs an exception, which the VM throws when it is done.
  bool throws_next = false;
};

// Which frames of a stack, counted from the topmost.
struct FramesLeft {
  jint own = 0;    // that of the step
  jint first = 0;  // the youngest that is to stay: `own`, or the one after it
};

// The thread is suspended, or null for the current one.
[[nodiscard]] jvm::Result<ReturnLocations> return_locations(const jvm::Env& env, jthread thread,
                                                            const FramesLeft& left);

}  // namespace jvmdebug::agent::threads
