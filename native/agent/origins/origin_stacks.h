// SPDX-License-Identifier: Apache-2.0
//
// Reads from the table in the program where the task of a thread was submitted. Runs on agent
// threads, while the thread is suspended; it runs no code of the program.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <jvmti.h>

#include "agent/code/trace_frames.h"
#include "agent/jvm/env.h"
#include "agent/jvm/jni.h"

namespace jvmdebug::agent::origins {

struct OriginLink {
  std::string done;    // what was done with the task: "started"
  std::string thread;  // the name of the thread that did it
  std::vector<code::TraceFrame> frames;
};

struct ThreadOrigin {
  bool is_known = false;    // whether the table has the task
  bool is_thinned = false;  // whether its stack was not taken, to save time
  std::vector<OriginLink> links;
};

// Returns where the task that the thread runs was submitted. `table_class`: Origins::table_class().
[[nodiscard]] ThreadOrigin origin_of(const jvm::Env& env, const jvm::Jni& jni, jclass table_class,
                                     jthread thread);

}  // namespace jvmdebug::agent::origins
