// SPDX-License-Identifier: Apache-2.0
//
// Thread.resume(), which a program may call in JDK 19 and older. The VM does not count suspends of
// the program and of the agent separately, so this call would resume a thread that the debugger has
// suspended. As with the JDK's own agent, the caller of resume() waits until the debugger has
// resumed the thread. Two breakpoints of the agent do this: one at the first instruction of
// resume(), and one at its last, where a thread that the debugger has suspended in between is
// suspended again.
#pragma once

#include <atomic>

#include <jvmti.h>

#include "agent/jvm/code_location.h"
#include "agent/jvm/env.h"
#include "agent/jvm/jni.h"
#include "agent/threads/breakpoint_setter.h"
#include "agent/threads/reporter.h"

namespace jvmdebug::agent::threads {

class Suspension;
class ThreadRegistry;

class ProgramResumes {
 public:
  struct Uses {
    const jvm::Env& env;
    ThreadRegistry& registry;
    Suspension& suspension;
    BreakpointSetter& breakpoints;
    Reporter& reporter;
  };

  explicit ProgramResumes(const Uses& uses) : uses_(uses) {}

  // Called when the agent starts. Does nothing in a VM in which a program cannot resume threads.
  void watch(const jvm::Jni& jni);

  // Called at a breakpoint of the current thread; waits if the thread is about to resume a
  // suspended thread.
  void at_breakpoint(const jvm::Jni& jni, const jvm::CodeLocation& location);

 private:
  void wait_for_debugger(jthread resumed);
  void suspend_again(jthread resumed);

  const Uses uses_;
  std::atomic<jmethodID> method_ = nullptr;  // java.lang.Thread.resume()
};

}  // namespace jvmdebug::agent::threads
