// SPDX-License-Identifier: Apache-2.0
//
// Thread.resume(), which a program may call in JDK 19 and older. The VM suspends a thread once for
// the program and the agent together, so that call would let a thread run that the debugger has
// suspended. As with the JDK's own agent its caller waits until the debugger has resumed the
// thread. Two breakpoints of the agent's own make that: one at the first instruction of resume(),
// one at its last, where a thread that the debugger suspended in between is suspended once more.
#pragma once

#include <atomic>

#include <jvmti.h>

#include "agent/events/code_location.h"
#include "agent/jvm/jni.h"

namespace jvmdebug::agent {
class Agent;
}

namespace jvmdebug::agent::threads {

class ProgramResumes {
 public:
  explicit ProgramResumes(Agent& agent) : agent_(agent) {}

  // Called when the agent starts. Does nothing in a VM in which a program cannot resume threads.
  void watch(const jvm::Jni& jni);

  // The current thread is at a breakpoint; waits if it is about to resume a suspended thread.
  void at_breakpoint(const jvm::Jni& jni, const events::CodeLocation& location);

 private:
  void wait_for_debugger(jthread resumed);
  void suspend_again(jthread resumed);

  Agent& agent_;
  std::atomic<jmethodID> method_ = nullptr;  // java.lang.Thread.resume()
};

}  // namespace jvmdebug::agent::threads
