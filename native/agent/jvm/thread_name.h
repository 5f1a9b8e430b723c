// SPDX-License-Identifier: Apache-2.0
//
// What a thread is called where people read it: its name, and without one what Thread.toString
// begins with on new JDKs: `VirtualThread[#29]`, `Thread[#29]`. The answers of JDWP's own commands
// keep the empty name. The core does the same for other agents, in model/thread_names.py.
#pragma once

#include <string>

#include <jvmti.h>

#include "agent/jvm/env.h"
#include "agent/jvm/result.h"

namespace jvmdebug::agent::jvm {

// The name of a thread, of the current one if it is null; in UTF-8, never empty. Runs no code of
// the program. The error is that of GetThreadInfo: the thread has ended.
[[nodiscard]] Result<std::string> shown_name(const Env& env, jthread thread);

}  // namespace jvmdebug::agent::jvm
