// SPDX-License-Identifier: Apache-2.0
//
// The agent's own objects in the program's heap, which commands leave out of what they tell of the
// program.
#pragma once

#include <vector>

#include <jni.h>

#include "agent/jvm/heap_walk.h"
#include "agent/jvm/jni.h"

namespace jvmdebug::agent {
class Agent;
}

namespace jvmdebug::agent::commands {

[[nodiscard]] std::vector<jvm::LocalRef<jobject>> own_objects(Agent& agent);
// Makes a walk that leaves them out.
[[nodiscard]] jvm::Result<jvm::HeapWalk> walk_of_program(Agent& agent);

}  // namespace jvmdebug::agent::commands
