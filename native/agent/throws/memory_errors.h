// SPDX-License-Identifier: Apache-2.0
//
// Reports OutOfMemoryErrors that the VM has made in advance, so that no constructor shows when they
// are thrown. The VM sends a ResourceExhausted event just before, on the thread that asked for
// memory. The error itself is not known at that time, so one like it is reported in its place. Used
// by ThrowWatch while a request matches such errors.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include <jvmti.h>

#include "agent/atomic_shared.h"
#include "agent/code/late_environment.h"
#include "agent/jvm/env.h"
#include "agent/jvm/jni.h"

namespace jvmdebug::agent {
class Agent;
}

namespace jvmdebug::agent::throws {

class MemoryErrors {
 public:
  // Called on the thread to which the VM is about to throw an error.
  using OnError = std::function<void(const jvm::Jni& jni, jthrowable error)>;

  MemoryErrors(Agent& agent, OnError on_error) : agent_(agent), on_error_(std::move(on_error)) {}

  // Begins to watch. Does nothing if the VM does not offer the event. Agent threads, one at a time.
  void watch(const jvm::Jni& jni, const code::LateEnvironment& late);
  void end();

 private:
  using Error = jvm::GlobalRef<jobject>;

  // Errors that are made while there is memory. Each is reported once; the last one stands for all
  // further ones.
  struct Spares {
    std::vector<Error> errors;
    std::atomic<std::size_t> used = 0;
  };

  static void JNICALL exhausted(jvmtiEnv* raw, JNIEnv* env, jint flags, const void* reserved,
                                const char* description);

  [[nodiscard]] jvm::Result<void> make_environment();
  // Returns null if there is no memory for it.
  [[nodiscard]] Error make(const jvm::Jni& jni, const char* message) const;
  void make_spares(const jvm::Jni& jni);
  void ran_out(const jvm::Jni& jni, const char* description);

  Agent& agent_;
  const OnError on_error_;
  const code::LateEnvironment* late_ = nullptr;  // from the first watch() on
  std::unique_ptr<jvm::Env> env_;
  AtomicShared<Spares> spares_;
};

}  // namespace jvmdebug::agent::throws
