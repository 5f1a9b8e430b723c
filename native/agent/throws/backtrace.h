// SPDX-License-Identifier: Apache-2.0
//
// The stack trace of an exception as HotSpot stores it before it is read: a field of
// java.lang.Throwable with a list of {short[] methods, int[] indices, Object[] classes, …, next}.
// It lacks hidden frames. Nothing relies on it that has not been compared with the stack first:
// then code that the agent makes may take it for the stack (throw_hook.h). Used by ThrowWatch.
#pragma once

#include <span>

#include <jvmti.h>

#include "agent/jvm/env.h"
#include "agent/jvm/jni.h"

namespace jvmdebug::agent::throws {

// Whether the VM's Throwable has the field.
[[nodiscard]] bool has_backtrace(const jvm::Jni& jni);

// Whether the stack trace begins with these frames of the stack, none of them left out; false when
// there are none.
[[nodiscard]] bool begins_with(const jvm::Env& env, const jvm::Jni& jni, jthrowable exception,
                               std::span<const jvmtiFrameInfo> frames);

}  // namespace jvmdebug::agent::throws
