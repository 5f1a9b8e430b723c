// SPDX-License-Identifier: Apache-2.0
//
// Classes of the agent that an agent before it has left in the VM.
#pragma once

#include <string_view>

#include <jvmti.h>

#include "agent/jvm/env.h"
#include "agent/jvm/jni.h"

namespace jvmdebug::agent::probes {

// A class of the boot loader by its internal name; null if there is none. Runs no Java code, where
// FindClass has the class loaders of the program throw an exception: a thread may be held while
// it initializes the class of that, and whoever throws another waits for it.
[[nodiscard]] jvm::LocalRef<jclass> left_class(const jvm::Env& env, const jvm::Jni& jni,
                                               std::string_view internal_name);

}  // namespace jvmdebug::agent::probes
