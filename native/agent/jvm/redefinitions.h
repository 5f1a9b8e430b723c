// SPDX-License-Identifier: Apache-2.0
//
// How often HotSpot has changed the code of a class, for whichever agent: JVM TI does not say. The
// VM counts it in java.lang.Class, for reflection. Any thread.
#pragma once

#include <optional>

#include <jvmti.h>

#include "agent/jvm/jni.h"

namespace jvmdebug::agent::jvm {

// None if this JDK does not count them.
[[nodiscard]] std::optional<jint> redefinitions_of(const Jni& jni, jclass type);

}  // namespace jvmdebug::agent::jvm
