// SPDX-License-Identifier: Apache-2.0
//
// Counts how often HotSpot has changed the code of a class, for any agent. JVM TI does not tell;
// the VM counts it in java.lang.Class, for reflection. Any thread.
#pragma once

#include <optional>

#include <jvmti.h>

#include "agent/jvm/jni.h"

namespace jvmdebug::agent::jvm {

// Returns the count; nothing if this JDK does not count.
[[nodiscard]] std::optional<jint> redefinitions_of(const Jni& jni, jclass type);

}  // namespace jvmdebug::agent::jvm
