// SPDX-License-Identifier: Apache-2.0
//
// Class unloading. JVM TI has no event for it, and HotSpot's extension event differs from version
// to version (in 11 it comes while the VM is stopped). So prepared classes are tagged, and the
// event of a freed tag reports them. This takes a separate environment, because the tags of the
// main one are the object ids. Nothing is done before a debugger requests it.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>

#include <jvmti.h>

#include "agent/jvm/env.h"
#include "agent/jvm/vm_life.h"
#include "agent/locks/ranked_mutex.h"
#include "agent/threads/reporter.h"

namespace jvmdebug::agent::code {
class CodeVersions;
}

namespace jvmdebug::agent::events {

class Composer;

class ClassUnloadWatch {
 public:
  struct Uses {
    const jvm::Env& env;
    Composer& composer;
    threads::Reporter& reporter;
    code::CodeVersions& code_versions;
    const jvm::VmLife& life;
  };

  explicit ClassUnloadWatch(const Uses& uses) : uses_(uses) {}

  // Begins to watch, once, until the VM ends. On an agent thread.
  [[nodiscard]] jvm::Result<void> start();
  // Stops watching. Callbacks that have begun may still run.
  void stop();

 private:
  [[nodiscard]] static ClassUnloadWatch* of(jvmtiEnv* raw);
  static void JNICALL class_prepared(jvmtiEnv* raw, JNIEnv* jni, jthread thread, jclass type);
  static void JNICALL object_freed(jvmtiEnv* raw, jlong tag);

  [[nodiscard]] jvm::Result<void> ask_for_events();
  void tag(jclass type);
  void freed(jlong tag);

  const Uses uses_;
  std::unique_ptr<jvm::Env> env_;
  // Taken in the ObjectFree event, perhaps while the VM is stopped, so no call into the VM is made
  // while it is held.
  RankedMutex<Rank::kUnloads> mutex_;
  std::unordered_map<jlong, std::string> signatures_;
  jlong next_tag_ = 1;
};

}  // namespace jvmdebug::agent::events
