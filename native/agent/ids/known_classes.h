// SPDX-License-Identifier: Apache-2.0
//
// What kind of object an object is: a thread, a string, a class. The kinds are those that JDWP has
// tags or errors for. Used by the object table.
#pragma once

#include <cstdint>

#include <jvmti.h>

#include "agent/jvm/env.h"
#include "agent/jvm/jni.h"
#include "codec/generated/constants.h"
#include "codec/result.h"

namespace jvmdebug::agent::ids {

// The kinds of objects that JDWP distinguishes.
enum class Kind : std::uint8_t {
  kObject,
  kArray,
  kString,
  kThread,
  kThreadGroup,
  kClassLoader,
  kClassObject,
  kModule,
};

// The classes that decide the kind of an object. Loaded once, in the live phase.
class KnownClasses {
 public:
  static Result<KnownClasses> load(const jvm::Jni& jni);

  [[nodiscard]] Kind kind_of(const jvm::Env& env, const jvm::Jni& jni, jobject object) const;

  [[nodiscard]] jclass throwable() const { return throwable_; }

 private:
  jvm::GlobalRef<jclass> string_;
  jvm::GlobalRef<jclass> thread_;
  jvm::GlobalRef<jclass> thread_group_;
  jvm::GlobalRef<jclass> class_loader_;
  jvm::GlobalRef<jclass> class_;
  jvm::GlobalRef<jclass> module_;
  jvm::GlobalRef<jclass> throwable_;
};

// Returns the JDWP tag of a kind: 'L', '[', 's', 't', 'g', 'l', 'c'.
[[nodiscard]] protocol::Tag tag_of(Kind kind);

}  // namespace jvmdebug::agent::ids
