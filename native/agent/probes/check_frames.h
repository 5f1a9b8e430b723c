// SPDX-License-Identifier: Apache-2.0
//
// Theory of operation: whether a thread is in a check, or in what a check has called.
//
// What a thread meets there is not reported: the debugger would see code of the agent, and a
// condition that calls a method with a breakpoint would stop in that. The stack says it: a frame of
// a class that the debugger is not to know of (code::CodeVersions) is one of a check.
//
// A look at the stack takes microseconds, and callbacks ask on each step. So nothing is looked at
// while no check calls anything (note_calls() is for good: such a check may still run when its
// probe is gone), and a thread that steps to the instruction behind its checks is looked at seldom.
// In a VM that reports no breakpoints threads stay inside checks, and all stacks are looked at.
//
// Threads: is_in_check() and is_below() are about the current thread; has_check() is for agent
// threads, about any; note_calls() is for agent threads. There is no lock.
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

  // Some check may come to other code than that of the agent.
  void note_calls() { checks_call_ = true; }

  // Whether the thread is in what a check has called, or in the check itself.
  [[nodiscard]] bool is_in_check() const;
  // The same, faster; it runs that method.
  [[nodiscard]] bool is_in_check(jmethodID method) const;
  // The same of the frames from that depth on.
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
