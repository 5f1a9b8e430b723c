// SPDX-License-Identifier: Apache-2.0
//
// Finds the methods that the threads of the program run at this moment: those on top of the stacks
// of threads that are not suspended. Looks at one thread after the other, without stopping any.
// Agent threads.
#pragma once

#include <set>

#include <jvmti.h>

namespace jvmdebug::agent {
class Agent;
}

namespace jvmdebug::agent::probes {

// Returns the methods as the debugger sees them: an older version of a method counts as the newest.
// Leaves out threads that wait, are suspended, or run native code.
[[nodiscard]] std::set<jmethodID> busy_methods(Agent& agent);

}  // namespace jvmdebug::agent::probes
