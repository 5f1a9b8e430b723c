// SPDX-License-Identifier: Apache-2.0
//
// Makes a full garbage collection. Called by the command Heap.Collect.
#pragma once

#include "agent/jvm/env.h"

namespace jvmdebug::agent::jvm {

// Collects garbage and returns when that is done. Finalizers and ObjectFree events may run later.
[[nodiscard]] inline Result<void> force_garbage_collection(const Env& env) {
  return checked(env.raw()->ForceGarbageCollection());
}

}  // namespace jvmdebug::agent::jvm
