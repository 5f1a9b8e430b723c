// SPDX-License-Identifier: Apache-2.0
//
// Reserves room for local references that JVM TI returns, many at a time. The VM has room for any
// number, but -Xcheck:jni warns at JNI calls as long as there are more than were reserved.
#pragma once

#include <cstddef>
#include <tuple>

#include "agent/jvm/env.h"

namespace jvmdebug::agent::jvm {

// The number that JNI guarantees without a reservation.
constexpr std::size_t kPromisedReferences = 16;

// -Xcheck:jni ignores a reservation that is smaller than the available room.
constexpr std::size_t kMoreThanIsThere = 64;

// Reserves room for `count` references that are held at once.
inline void announce(JNIEnv* env, std::size_t count) {
  std::ignore = env->EnsureLocalCapacity(static_cast<jint>(count + kMoreThanIsThere));
}

// The same in a callback, where -Xcheck:jni also counts the references that the callers of the VM
// hold.
inline void announce_callback(JNIEnv* env) {
  announce(env, 0);
}

template <class T>
[[nodiscard]] Result<Buffer<T>> announced(const Env& env, Result<Buffer<T>> references) {
  if (references && references->size() > kPromisedReferences) {
    std::ignore = env.jni()->EnsureLocalCapacity(static_cast<jint>(references->size()));
  }
  return references;
}

}  // namespace jvmdebug::agent::jvm
