// SPDX-License-Identifier: Apache-2.0
//
// The error that ends a method which the debugger has called and given up: a ThreadDeath, which the
// VM does not report if nothing catches it, or an Error where a VM has no such class. Made on a
// thread of the agent, so that no code runs on the program's.
#pragma once

#include <jni.h>

#include "agent/jvm/jni.h"
#include "agent/jvm/result.h"

namespace jvmdebug::agent::jvm {

[[nodiscard]] Result<LocalRef<jobject>> make_stop_error(const Jni& jni);

}  // namespace jvmdebug::agent::jvm
