// SPDX-License-Identifier: Apache-2.0
//
// Describes frames of stacks that were taken earlier by type, method, file and line. Called when a
// debugger asks for them, on an agent thread. Used by Allocations and Collections.
#pragma once

#include <cstdint>
#include <string>

#include <jvmti.h>

#include "agent/jvm/env.h"

namespace jvmdebug::agent::heap {

struct CodePlace {
  std::string type;  // signature; empty when the class was unloaded
  std::string method;
  std::string source;
  std::int32_t line = -1;
};

// Describes a frame. Without the capabilities of `env` for source files and lines, these are left
// out.
[[nodiscard]] CodePlace code_place(const jvm::Env& env, const jvmtiFrameInfo& frame);

}  // namespace jvmdebug::agent::heap
