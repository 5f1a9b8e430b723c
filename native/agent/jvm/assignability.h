// SPDX-License-Identifier: Apache-2.0
//
// Whether an object may be stored where a type is declared. JNI and JVM TI store any reference
// anywhere, and an object of a wrong class in a field corrupts the heap. So every store of an
// object for a client is checked here first. Knows classes and loaders, runs no Java code.
#pragma once

#include <string_view>

#include <jni.h>

#include "agent/jvm/env.h"
#include "agent/jvm/jni.h"

namespace jvmdebug::agent::jvm {

// True when `object` (null always is) may be stored in a variable whose declared type is
// `signature`, as the class `context` that declares the variable sees that name. A class that has
// the name but that the loader of `context` cannot be shown to know by it is not assignable.
[[nodiscard]] bool assignable(const Env& env, const Jni& jni, jobject object,
                              std::string_view signature, jclass context);

// The component type of an array class, null otherwise.
[[nodiscard]] LocalRef<jclass> component_type(const Env& env, const Jni& jni, jclass array_class);

}  // namespace jvmdebug::agent::jvm
