// SPDX-License-Identifier: Apache-2.0
//
// Follows an exception that Java code has constructed from frame to frame: to where it is thrown,
// returned or passed on, and to the handlers that may throw it again. If a request may match there,
// the exception is expected (ExpectedThrows). On the thread that has it.
#pragma once

#include <atomic>
#include <cstddef>
#include <optional>

#include <jvmti.h>

#include "agent/events/event_set.h"
#include "agent/jvm/env.h"
#include "agent/jvm/jni.h"
#include "agent/threads/tracked_thread.h"
#include "agent/throws/exception_tables.h"
#include "agent/throws/expected_throws.h"
#include "agent/throws/throw_outlook.h"
#include "agent/throws/throw_site.h"

namespace jvmdebug::agent::threads {
class ThreadRegistry;
}

namespace jvmdebug::agent::throws {

class ThrowFollower {
 public:
  ThrowFollower(const jvm::Env& env, threads::ThreadRegistry& threads, ThrowOutlook& outlook,
                ExpectedThrows& expected, bool reports_breakpoints)
      : env_(env),
        threads_(threads),
        outlook_(outlook),
        expected_(expected),
        reports_breakpoints_(reports_breakpoints) {}

  // Whether the exception is expected where a handler that will catch it may throw it again, and
  // the deepest frame that decides that.
  struct Again {
    bool is_expected = false;
    std::size_t decided_by = 0;
  };

  // Returns the deepest frame that decided that the exception is ignored. Else it is expected, if
  // that is possible, and none is returned.
  std::optional<std::size_t> follow(const jvm::Jni& jni, jobject exception, Stack& stack,
                                    std::size_t depth, bool by_reflection, int returns);
  // Does the same for an exception that the current method has returned, after `returns` others.
  void follow_returned(const jvm::Jni& jni, jobject exception, Stack& stack, int returns);
  Again expect_again(const jvm::Jni& jni, jobject exception, Stack& stack, std::size_t depth,
                     jlocation index);

  // Notes that locations which were found before must not be used. Agent threads.
  void classes_redefined() { ++redefinitions_; }

 private:
  std::optional<std::size_t> follow_argument(const jvm::Jni& jni, jobject exception, Stack& stack,
                                             std::size_t depth);
  void expect_at(const jvm::Jni& jni, jobject exception, Stack& stack,
                 const ExceptionTables::Rethrow& again);

  const jvm::Env& env_;
  threads::ThreadRegistry& threads_;
  ThrowOutlook& outlook_;
  ExpectedThrows& expected_;
  const bool reports_breakpoints_;  // if false, nothing can be expected
  std::atomic<int> redefinitions_ = 0;
};

}  // namespace jvmdebug::agent::throws
