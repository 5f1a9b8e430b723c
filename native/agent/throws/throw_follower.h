// SPDX-License-Identifier: Apache-2.0
//
// Follows an exception that Java code has made from frame to frame: to where it is thrown, returned
// or passed on, and to the handlers that may throw it again. What may be requested there is
// expected (ExpectedThrows). On the thread that has it.
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

  // Whether it is expected where a handler may throw it again that is going to catch it when it is
  // thrown in a frame; and the deepest frame that decides that.
  struct Again {
    bool is_expected = false;
    std::size_t decided_by = 0;
  };

  // The deepest frame that decided that it is ignored; else it is expected, if it can be.
  std::optional<std::size_t> follow(const jvm::Jni& jni, jobject exception, Stack& stack,
                                    std::size_t depth, bool by_reflection, int returns);
  // The same of one that the current method has returned, after so many others.
  void follow_returned(const jvm::Jni& jni, jobject exception, Stack& stack, int returns);
  Again expect_again(const jvm::Jni& jni, jobject exception, Stack& stack, std::size_t depth,
                     jlocation index);

  // Agent threads: locations that were found before are not to be used.
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
  const bool reports_breakpoints_;  // else nothing can be expected anywhere
  std::atomic<int> redefinitions_ = 0;
};

}  // namespace jvmdebug::agent::throws
