// SPDX-License-Identifier: Apache-2.0
//
// Finds the virtual thread that a platform thread carries. JVM TI does not list virtual threads and
// gives only the carrier of one; HotSpot has an extension function for this since 21. Independent
// of the rest of the agent; used by threads::Suspension while all threads are suspended.
#pragma once

#include <jvmti.h>

#include "agent/jvm/env.h"

namespace jvmdebug::agent::jvm {

class CarriedThreads {
 public:
  // Looks the function up, once for many calls. Without the function no thread counts as a carrier.
  explicit CarriedThreads(const Env& env);

  // Finds the carried thread; null when the thread carries none, or has ended.
  [[nodiscard]] LocalRef<jthread> carried_by(const Jni& jni, jthread carrier) const;

 private:
  const Env& env_;
  jvmtiExtensionFunction function_ = nullptr;
};

}  // namespace jvmdebug::agent::jvm
