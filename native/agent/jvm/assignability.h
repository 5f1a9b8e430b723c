// SPDX-License-Identifier: Apache-2.0
//
// Checks whether an object may be stored in a variable of a declared type. JNI and JVM TI store any
// reference anywhere, and an object of a wrong class in a field corrupts the heap. So every store
// of an object for a client is checked here first. Uses classes and loaders only, and runs no Java
// code.
#pragma once

#include <string_view>

#include <jni.h>

#include "agent/jvm/env.h"
#include "agent/jvm/jni.h"

namespace jvmdebug::agent::jvm {

// Whether `object` may be stored in a variable with the declared type `signature`, as resolved by
// the class `context` that declares the variable; null always may. A class with the right name is
// not assignable if it is not certain that the loader of `context` resolves the name to it.
[[nodiscard]] bool assignable(const Env& env, const Jni& jni, jobject object,
                              std::string_view signature, jclass context);

// The component type of an array class, null otherwise.
[[nodiscard]] LocalRef<jclass> component_type(const Env& env, const Jni& jni, jclass array_class);

}  // namespace jvmdebug::agent::jvm
