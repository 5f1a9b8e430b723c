// SPDX-License-Identifier: Apache-2.0
//
// The state of the Jvmti commands of one agent, which is undone when the debugger disconnects: the
// second environment, recorded events, counts of JNI calls, redirected native methods. Agent
// threads, one at a time.
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

  // The second environment, made on first use: it has the capabilities to time threads, prefix
  // native methods and retransform classes, as far as the VM gives them.
  [[nodiscard]] jvm::Result<const jvm::Env*> side();

  [[nodiscard]] EventRecorder& events() { return events_; }

  [[nodiscard]] NativeRedirects& redirects() { return redirects_; }

  // Undoes everything when the debugger has disconnected.
  void end(const jvm::Jni& jni);

 private:
  Agent& agent_;
  std::unique_ptr<jvm::Env> side_;
  EventRecorder events_;
  NativeRedirects redirects_;
};

// Returns the protection domain of a class as a local reference; null if it has none.
[[nodiscard]] jvm::Result<jobject> protection_domain(JavaVM* vm, jclass type);

}  // namespace jvmdebug::agent::jvmti_access
