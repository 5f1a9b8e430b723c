// SPDX-License-Identifier: Apache-2.0
//
// The stack trace of an exception as HotSpot stores it until it is read: a field of
// java.lang.Throwable with a list of {short[] methods, int[] indices, Object[] classes, …, next}.
// It lacks hidden frames. Used by ThrowWatch, which compares it with the stack first; only then may
// JvmdebugThrows (throw_hook.h) recognize throws by it.
#pragma once

#include <span>

#include <jvmti.h>

#include "agent/jvm/env.h"
#include "agent/jvm/jni.h"

namespace jvmdebug::agent::throws {

// Whether the VM's Throwable has the field.
[[nodiscard]] bool has_backtrace(const jvm::Jni& jni);

// Whether the stack trace begins with these frames of the stack, with none left out. False if there
// are no frames.
[[nodiscard]] bool begins_with(const jvm::Env& env, const jvm::Jni& jni, jthrowable exception,
                               std::span<const jvmtiFrameInfo> frames);

}  // namespace jvmdebug::agent::throws
