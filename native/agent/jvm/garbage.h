// SPDX-License-Identifier: Apache-2.0
//
// A full garbage collection now. Called by the command Heap.Collect.
#pragma once

#include "agent/jvm/env.h"

namespace jvmdebug::agent::jvm {

// Returns when it is done. Finalizers and ObjectFree events may come later.
[[nodiscard]] inline Result<void> force_garbage_collection(const Env& env) {
  return checked(env.raw()->ForceGarbageCollection());
}

}  // namespace jvmdebug::agent::jvm
