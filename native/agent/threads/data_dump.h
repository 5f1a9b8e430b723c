// SPDX-License-Identifier: Apache-2.0
//
// What the option datadump=y prints when the VM is asked for a dump of data (jcmd PID
// JVMTI.data_dump): which threads are suspended, and how often. The first and the last line are
// those of the JDK's agent.
#pragma once

#include <string>

#include "agent/jvm/env.h"

namespace jvmdebug::agent::threads {

class Suspension;
class ThreadRegistry;

// Any thread.
[[nodiscard]] std::string data_dump(const jvm::Env& env, ThreadRegistry& registry,
                                    const Suspension& suspension);

}  // namespace jvmdebug::agent::threads
