// SPDX-License-Identifier: Apache-2.0
//
// Theory of operation: whether a thread is in a check, or in a method that a check has called.
//
// What happens to a thread there is not reported: the debugger would see code of the agent, and a
// condition that calls a method with a breakpoint would stop in that method. The stack tells: a
// frame of a class that is hidden from the debugger (code::CodeVersions) is a frame of a check.
//
// Reading a stack takes microseconds, and callbacks ask at each step. So no stack is read as long
// as no check calls other code. note_calls() is never taken back, because such a check may still
// run when its probe is gone. A thread that steps to the instruction behind its checks is looked at
// only now and then. In a VM that reports no breakpoints, threads stay inside checks, so there
// stacks are always read.
//
// Threads: is_in_check() and is_below() are about the current thread; has_check() is for agent
// threads, about any thread; note_calls() is for agent threads. There is no lock.
#pragma once

#include <atomic>
#include <cstddef>

#include <jvmti.h>

#include "agent/jvm/env.h"
#include "agent/threads/tracked_thread.h"

namespace jvmdebug::agent::code {
class CodeVersions;
}

namespace jvmdebug::agent::threads {
class ThreadRegistry;
}

namespace jvmdebug::agent::probes {

class CheckFrames {
 public:
  CheckFrames(const jvm::Env& env, code::CodeVersions& versions, threads::ThreadRegistry& threads,
              bool stops_in_check)
      : env_(env), versions_(versions), threads_(threads), stops_in_check_(stops_in_check) {}

  // Notes that some check may call code that is not the agent's.
  void note_calls() { checks_call_ = true; }

  // Whether the current thread is in a check, or in a method that a check has called.
  [[nodiscard]] bool is_in_check() const;
  // The same for a thread that runs `method`; faster.
  [[nodiscard]] bool is_in_check(jmethodID method) const;
  // The same for the frames from that depth on.
  [[nodiscard]] bool is_below(std::size_t depth) const;
  // Whether the stack of another thread has a frame of a check.
  [[nodiscard]] bool has_check(const threads::Tracked& thread) const;

 private:
  const jvm::Env& env_;
  code::CodeVersions& versions_;
  threads::ThreadRegistry& threads_;
  const bool stops_in_check_;
  std::atomic<bool> checks_call_ = false;  // since the start
};

}  // namespace jvmdebug::agent::probes
