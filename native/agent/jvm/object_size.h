// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <jvmti.h>

#include "agent/jvm/env.h"

namespace jvmdebug::agent::jvm {

// Returns the bytes that the object takes by itself.
[[nodiscard]] inline Result<jlong> object_size(const Env& env, jobject object) {
  jlong size = 0;
  JVMDEBUG_CHECK(checked(env.raw()->GetObjectSize(object, &size)));
  return size;
}

}  // namespace jvmdebug::agent::jvm
