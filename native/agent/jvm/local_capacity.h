// SPDX-License-Identifier: Apache-2.0
//
// Room for local references that JVM TI has given, many at a time. The VM has it; -Xcheck:jni warns
// at calls of JNI as long as there are more than were announced.
#pragma once

#include <cstddef>
#include <tuple>

#include "agent/jvm/env.h"

namespace jvmdebug::agent::jvm {

// What JNI promises without being asked.
constexpr std::size_t kPromisedReferences = 16;

// -Xcheck:jni takes no notice of an announcement of less than there is room for.
constexpr std::size_t kMoreThanIsThere = 64;

// Reserves room for so many that are going to be held at once.
inline void announce(JNIEnv* env, std::size_t count) {
  std::ignore = env->EnsureLocalCapacity(static_cast<jint>(count + kMoreThanIsThere));
}

// The same in a callback: -Xcheck:jni counts what the callers of the VM hold against its room.
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
