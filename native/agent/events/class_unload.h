// SPDX-License-Identifier: Apache-2.0
//
// Class unloading, for which JVM TI has no event of its own; HotSpot has an extension event that
// names the class. Where a VM lacks it, class unload requests are refused.
#pragma once

#include "agent/jvm/env.h"
#include "agent/jvm/result.h"

namespace jvmdebug::agent::events {

// Switches it on, once; NOT_AVAILABLE when the VM cannot.
[[nodiscard]] jvm::Result<void> watch_class_unload(const jvm::Env& env);

}  // namespace jvmdebug::agent::events
