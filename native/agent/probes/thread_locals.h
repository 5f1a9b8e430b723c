// SPDX-License-Identifier: Apache-2.0
//
// Reads the value that another thread has in a ThreadLocal from private fields of Thread and
// ThreadLocal. They are the same in all JDKs from 11 on.
#pragma once

#include <jni.h>

#include "agent/jvm/jni.h"

namespace jvmdebug::agent::probes {

class ThreadLocals {
 public:
  // Looks up the fields. False if this JDK has different ones.
  [[nodiscard]] bool make(const jvm::Jni& jni);

  // Returns the value of the current thread or of a suspended one; null if it has no value.
  [[nodiscard]] jvm::LocalRef<jobject> value(const jvm::Jni& jni, jobject thread,
                                             jobject thread_local_) const;

 private:
  jfieldID map_ = nullptr;
  jfieldID table_ = nullptr;
  jfieldID value_ = nullptr;
  jfieldID key_ = nullptr;
};

}  // namespace jvmdebug::agent::probes
