// SPDX-License-Identifier: Apache-2.0
//
// Frames of stacks that were taken earlier, as names: type, method, file, line. Made when somebody
// asks, on an agent thread. Used by Allocations and Collections.
#pragma once

#include <cstdint>
#include <string>

#include <jvmti.h>

#include "agent/jvm/env.h"

namespace jvmdebug::agent::heap {

struct CodePlace {
  std::string type;  // signature; empty when the class is gone
  std::string method;
  std::string source;
  std::int32_t line = -1;
};

// `env` must have the capabilities for source files and lines, else neither is told.
[[nodiscard]] CodePlace code_place(const jvm::Env& env, const jvmtiFrameInfo& frame);

}  // namespace jvmdebug::agent::heap
