// SPDX-License-Identifier: Apache-2.0
//
// A class that the agent changes, or has changed, and what CodeChanges knows of it, under its lock.
#pragma once

#include <cstdint>
#include <set>
#include <string>

#include <jvmti.h>

#include "agent/code/class_insertions.h"
#include "agent/jvm/jni.h"

namespace jvmdebug::agent::code {

struct ChangedClass {
  jvm::WeakRef known;
  jint hash = 0;  // the identity hash of the class object, for a fast search
  // `to_renew`: the methods, by name and descriptor, that must differ from their present version
  // after the next change. `renewed`: those whose operand stacks the last change made deeper for
  // that.
  std::set<std::string> to_renew;
  std::set<std::string> renewed;
  std::set<std::string> deepened;  // in the present step of a change of all methods: CodeChanges
  std::uint16_t depth = 0;         // the words by which the operand stacks of `renewed` are deeper
  ClassInsertions inserted;        // in the newest code
  std::string rewrite_error;       // of the last change; empty for none

  // Returns the class, or null when the VM has unloaded it.
  [[nodiscard]] jvm::LocalRef<jclass> type(const jvm::Jni& jni) const {
    return known.lock(jni).as<jclass>();
  }
};

}  // namespace jvmdebug::agent::code
