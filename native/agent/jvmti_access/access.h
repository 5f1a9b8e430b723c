// SPDX-License-Identifier: Apache-2.0
//
// What Jvmti commands need of one agent, and what of it is undone when the debugger leaves: the
// second environment of the functions, recorded events, counts of JNI calls, redirected native
// methods. Agent threads, one at a time.
#pragma once

#include <memory>

#include <jvmti.h>

#include "agent/jvm/env.h"
#include "agent/jvm/jni.h"
#include "agent/jvmti_access/event_recorder.h"
#include "agent/jvmti_access/native_redirects.h"

namespace jvmdebug::agent {
class Agent;
}

namespace jvmdebug::agent::jvmti_access {

class Access {
 public:
  explicit Access(Agent& agent) : agent_(agent), events_(agent) {}

  // Made when it is asked for first: with what times threads, prefixes native methods and
  // retransforms classes, as far as the VM gives it.
  [[nodiscard]] jvm::Result<const jvm::Env*> side();

  [[nodiscard]] EventRecorder& events() { return events_; }

  [[nodiscard]] NativeRedirects& redirects() { return redirects_; }

  // The debugger has gone.
  void end(const jvm::Jni& jni);

 private:
  Agent& agent_;
  std::unique_ptr<jvm::Env> side_;
  EventRecorder events_;
  NativeRedirects redirects_;
};

// The protection domain of a class; null if it has none. A local reference.
[[nodiscard]] jvm::Result<jobject> protection_domain(JavaVM* vm, jclass type);

}  // namespace jvmdebug::agent::jvmti_access
