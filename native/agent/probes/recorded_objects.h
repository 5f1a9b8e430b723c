// SPDX-License-Identifier: Apache-2.0
//
// What the records of calls say of objects that are no strings: what cannot change, of those that a
// reader expects to see as values. Agent threads.
#pragma once

#include <jni.h>

#include "agent/jvm/env.h"
#include "agent/jvm/jni.h"
#include "codec/writer.h"

namespace jvmdebug::agent::probes {

class RecordedObjects {
 public:
  // False if the VM lacks its own classes.
  [[nodiscard]] bool make(const jvm::Jni& jni);
  // One value of a record, see Probes.ReadLog.
  void write(const jvm::Env& env, const jvm::LocalRef<jobject>& object,
             codec::Writer& writer) const;

 private:
  jvm::GlobalRef<jclass> enum_;
  jfieldID name_ = nullptr;
};

}  // namespace jvmdebug::agent::probes
