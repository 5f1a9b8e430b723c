// SPDX-License-Identifier: Apache-2.0
//
// The value that another thread has in a ThreadLocal, read from the fields of Thread that the JDK
// keeps to itself; they are the same in all JDKs from 11 on.
#pragma once

#include <jni.h>

#include "agent/jvm/jni.h"

namespace jvmdebug::agent::probes {

class ThreadLocals {
 public:
  // Looks the fields up; false if this JDK has other ones.
  [[nodiscard]] bool make(const jvm::Jni& jni);

  // Of a thread that is suspended, or the current one; none if it has no value.
  [[nodiscard]] jvm::LocalRef<jobject> value(const jvm::Jni& jni, jobject thread,
                                             jobject thread_local_) const;

 private:
  jfieldID map_ = nullptr;
  jfieldID table_ = nullptr;
  jfieldID value_ = nullptr;
  jfieldID key_ = nullptr;
};

}  // namespace jvmdebug::agent::probes
