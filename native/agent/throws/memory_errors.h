// SPDX-License-Identifier: Apache-2.0
//
// OutOfMemoryErrors that the VM has made in advance: no constructor tells when they are thrown. The
// VM's ResourceExhausted event does, on the thread that asked for memory, just before; the error
// itself is not known then, so that one like it stands for it. Used by ThrowWatch while there is
// a request for exceptions that such an error matches.
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
  // Called on the thread that is about to get one.
  using OnError = std::function<void(const jvm::Jni& jni, jthrowable error)>;

  MemoryErrors(Agent& agent, OnError on_error) : agent_(agent), on_error_(std::move(on_error)) {}

  // Agent threads, one at a time. A VM that cannot tell of them is none to complain of.
  void watch(const jvm::Jni& jni, const code::LateEnvironment& late);
  void end();

 private:
  using Error = jvm::GlobalRef<jobject>;

  // Made while there is memory; each stands for one throw, the last for all that come then.
  struct Spares {
    std::vector<Error> errors;
    std::atomic<std::size_t> used = 0;
  };

  static void JNICALL exhausted(jvmtiEnv* raw, JNIEnv* env, jint flags, const void* reserved,
                                const char* description);

  [[nodiscard]] jvm::Result<void> make_environment();
  // Empty if there is no memory for it.
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
