// SPDX-License-Identifier: Apache-2.0
//
// Reports garbage collections and exhausted resources as they happen, to a debugger that has asked
// for them (Heap.Watch). The VM's events of a collection come while it is stopped, so neither JNI
// nor JVM TI is called in them.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>

#include <jvmti.h>

#include "agent/events/event_set.h"
#include "agent/jvm/env.h"
#include "agent/locks/ranked_mutex.h"

namespace jvmdebug::agent {
class Agent;
}

namespace jvmdebug::agent::heap {

class Collections {
 public:
  explicit Collections(Agent& agent) : agent_(agent) {}

  // Called on the thread that runs commands, like the others.
  [[nodiscard]] jvm::Result<void> watch();
  void end();
  // Stops the events; callbacks that have begun may still run.
  void stop();

 private:
  [[nodiscard]] static Collections* of(jvmtiEnv* raw);
  static void JNICALL collection_started(jvmtiEnv* raw);
  static void JNICALL collection_finished(jvmtiEnv* raw);
  static void JNICALL exhausted(jvmtiEnv* raw, JNIEnv* jni, jint flags, const void* reserved,
                                const char* description);

  [[nodiscard]] jvm::Result<void> start();
  void set_events(jvmtiEventMode mode) const;
  void finished();
  void ran_out(jint flags, const char* description);

  Agent& agent_;
  std::unique_ptr<jvm::Env> env_;
  // Taken while the VM is stopped, so no call into the VM is made while it is held.
  RankedMutex<Rank::kHeapEvents> mutex_;
  events::DebuggerNumber debugger_ = 0;
  std::chrono::steady_clock::time_point started_;
  std::chrono::system_clock::time_point started_at_;
};

}  // namespace jvmdebug::agent::heap
