// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <jvmti.h>

#include "agent/jvm/env.h"

namespace jvmdebug::agent::jvm {

// Returns the name of a class as class files have it: a/b/C. Empty for arrays and primitive types,
// and if the VM does not tell.
[[nodiscard]] std::string internal_name(const Env& env, jclass type);

}  // namespace jvmdebug::agent::jvm
