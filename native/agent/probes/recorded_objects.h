// SPDX-License-Identifier: Apache-2.0
//
// Writes what records of calls say of objects other than strings: values that cannot change, for
// those classes whose objects a reader expects to see as values. Agent threads.
#pragma once

#include <jni.h>

#include "agent/jvm/env.h"
#include "agent/jvm/jni.h"
#include "codec/writer.h"

namespace jvmdebug::agent::probes {

class RecordedObjects {
 public:
  // Looks up classes and fields of the JDK. False if they are missing.
  [[nodiscard]] bool make(const jvm::Jni& jni);
  // Writes one value of a record, see Probes.ReadLog.
  void write(const jvm::Env& env, const jvm::LocalRef<jobject>& object,
             codec::Writer& writer) const;

 private:
  jvm::GlobalRef<jclass> enum_;
  jfieldID name_ = nullptr;
};

}  // namespace jvmdebug::agent::probes
