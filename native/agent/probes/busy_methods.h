// SPDX-License-Identifier: Apache-2.0
//
// Which methods the threads of the program run at this moment: those on top of the stacks of
// threads that are not suspended. A look at each such thread in turn, without stopping the others.
// Agent threads.
#pragma once

#include <set>

#include <jvmti.h>

namespace jvmdebug::agent {
class Agent;
}

namespace jvmdebug::agent::probes {

// As the debugger sees them: of an older version of a method, the newest. Methods of the agent
// itself are left out, and threads that are in native code, wait or are suspended.
[[nodiscard]] std::set<jmethodID> busy_methods(Agent& agent);

}  // namespace jvmdebug::agent::probes
