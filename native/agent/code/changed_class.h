// SPDX-License-Identifier: Apache-2.0
//
// A class that the agent changes, or has changed: what CodeChanges knows of it, under its lock.
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
  jint hash = 0;  // of its object: most others have another one
  // Methods, by name and descriptor, that are to come out of the next change as others, and those
  // that the last one gave a deeper stack.
  std::set<std::string> to_renew;
  std::set<std::string> renewed;
  std::set<std::string> deepened;  // while all methods change, see CodeChanges
  std::uint16_t depth = 0;         // by how much
  ClassInsertions inserted;        // in the newest code
  std::string rewrite_error;       // of the last change; empty for none

  // Empty when the VM has unloaded it.
  [[nodiscard]] jvm::LocalRef<jclass> type(const jvm::Jni& jni) const {
    return known.lock(jni).as<jclass>();
  }
};

}  // namespace jvmdebug::agent::code
