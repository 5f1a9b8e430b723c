// SPDX-License-Identifier: Apache-2.0
//
// Theory of operation: requests for exceptions without the exception events of the VM, which would
// make all exceptions slow for the whole run, requested or not.
//
// While there is such a request, each constructor of java.lang.Throwable calls the agent for
// exceptions of the requested classes (throw_hook.h); without one, Throwable has its original code.
// From the constructor the exception is followed to where it is thrown, and is reported there as
// the VM would report it:
//
// - An exception that the VM or native code has made is reported at once. The frames of the
//   constructors are hidden (ThrowReporter).
// - An exception that Java code constructs is reported by breakpoints where the code may throw or
//   return it (ThrowFollower finds the places, ExpectedThrows sets the breakpoints). An agent that
//   was loaded into a running VM gets no breakpoints. It reports from inside the constructor what
//   the code is going to throw, if the code alone shows that.
// - The VM tells when the heap is full (MemoryErrors).
//
// Code that throws an exception which it has not constructed in the same place calls the agent
// before it throws (throw_checks.h). ThrowCalls has both kinds of calls put into classes, as a
// client of code::CodeChanges.
//
// Most exceptions match no request where they are thrown. ThrowOutlook decides that: it finds where
// the exception would be caught, and whether a request may match there. The decision is remembered
// with the class of the exception and the frames that decided it (IgnoredThrows), so the next
// exception from there costs a look into a table.
//
//     not hooked --a request--> hooked, watching --no request--> not hooked
//
// Hooked: Throwable reports new exceptions, and other classes report throws if those may be
// requested. Not hooked: nothing is expected, and calls that are left in classes have no effect.
//
// Invariants:
//
// - An exception is reported once for each time that it is thrown, in the frame that throws it.
// - Exceptions of the agent itself, of checks, and of methods that the debugger runs in a thread
//   inside these calls are not reported.
// - A remembered decision is valid until a class is redefined or the requests change.
//
// Threads: update() and classes_redefined() are for agent threads, one at a time. All other
// functions are for the thread that has the exception. There is no lock here; the parts have their
// own.
//
// Not seen: exceptions that no code of a class throws (docs/how-to/modes.md has the table).
#pragma once

#include <atomic>
#include <optional>
#include <vector>

#include <jvmti.h>

#include "agent/code/late_environment.h"
#include "agent/events/event_set.h"
#include "agent/events/throw_source.h"
#include "agent/jvm/jni.h"
#include "agent/threads/tracked_thread.h"
#include "agent/throws/expected_throws.h"
#include "agent/throws/ignored_throws.h"
#include "agent/throws/memory_errors.h"
#include "agent/throws/throw_calls.h"
#include "agent/throws/throw_follower.h"
#include "agent/throws/throw_outlook.h"
#include "agent/throws/throw_reporter.h"
#include "agent/throws/throw_site.h"
#include "codec/result.h"

namespace jvmdebug::agent {
class Agent;
}

namespace jvmdebug::agent::throws {

class ThrowWatch final : public events::ThrowSource {
 public:
  explicit ThrowWatch(Agent& agent);

  // --- agent threads, one at a time ----------------------------------------------------------
  // Adjusts the calls and breakpoints after a request for exceptions was published or became
  // inactive.
  [[nodiscard]] Result<void> update() override;
  void classes_redefined();
  // Returns what is kept in the program's heap.
  [[nodiscard]] std::vector<jvm::LocalRef<jobject>> own_objects(const jvm::Jni& jni) const;

  // --- on the thread itself ------------------------------------------------------------------
  // Called at the end of a constructor of Throwable, for an exception of a requested class. Returns
  // the result of report(), see throw_hook.h.
  jint constructed(const jvm::Jni& jni, jthrowable exception);
  // Called in front of an instruction that throws an exception which was not made there. Returns
  // the result of reached(), see throw_hook.h.
  jint about_to_throw(const jvm::Jni& jni, jthrowable exception);

  // Whether a thread that waits in Java has to wait on.
  [[nodiscard]] bool still_waits(const jvm::Jni& jni) { return reporter_.still_waits(jni); }

  // Called after the event of a breakpoint was reported to the debugger.
  void at_breakpoint(const jvm::Jni& jni, const events::Occurrence& occurrence) override;
  void thread_ended(const threads::Tracked& self) override;

 private:
  [[nodiscard]] Result<void> hook();
  void unhook();
  [[nodiscard]] bool set_requested(const jvm::Jni& jni, const std::vector<jclass>& types) const;
  [[nodiscard]] bool forget_ignored(const jvm::Jni& jni);

  // The outcome of examining a new exception.
  struct Examined {
    std::optional<events::Occurrence> thrown_here;
    // The deepest frame that decided that the exception is ignored.
    std::optional<std::size_t> decided_by;
    std::size_t first = 0;     // the frame below those of the exception's constructors
    bool is_foreseen = false;  // Java code has made it and is going to throw it
  };

  void out_of_memory(const jvm::Jni& jni, jthrowable error);
  [[nodiscard]] Examined examine(const jvm::Jni& jni, jthrowable exception, Stack& stack);
  // Finds what the code is going to throw, where the VM reports no breakpoints. It is reported
  // before it is thrown.
  [[nodiscard]] Examined foresee(const jvm::Jni& jni, jobject exception, Stack& stack,
                                 const Origin& origin);
  [[nodiscard]] bool tells_itself(std::size_t depth, jlocation index) const;
  void after_report(const jvm::Jni& jni, jobject exception, std::size_t depth, jlocation index);

  Agent& agent_;
  code::LateEnvironment* late_ = nullptr;  // from the first hook() on
  jvm::GlobalRef<jclass> hook_class_;
  bool hooked_ = false;
  std::atomic<bool> watching_ = false;
  IgnoredThrows ignored_;
  ExpectedThrows expected_;
  ThrowOutlook outlook_;
  ThrowFollower follower_;
  ThrowCalls calls_;
  ThrowReporter reporter_;
  MemoryErrors memory_errors_;
};

}  // namespace jvmdebug::agent::throws
