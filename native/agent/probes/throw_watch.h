// SPDX-License-Identifier: Apache-2.0
//
// Requests for exceptions without the exception events of the VM, which would make all exceptions
// slow for the whole run, requested or not. While there is such a request each constructor of
// java.lang.Throwable calls the agent for the requested classes (throw_hook.h); without one the
// code of Throwable is the original. From the constructor the exception is followed to where it is
// thrown, which is reported as the VM would:
//
// - what the VM or native code has made is reported at once, with the frames of the constructors
//   hidden;
// - for what Java code constructs there are breakpoints where the code may throw or return it; an
//   agent that was loaded into a running VM gets none, and reports from inside the constructor what
//   the code is going to throw, if the code alone says so;
// - of a full heap the VM tells (memory_errors.h).
//
// What is thrown without being constructed, or elsewhere, calls the agent before it is thrown
// (throw_checks.h).
//
// Not seen: what no code of a class throws (docs/how-to/modes.md has the table).
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include <jvmti.h>

#include "agent/code/late_environment.h"
#include "agent/events/code_location.h"
#include "agent/events/event_request.h"
#include "agent/events/event_set.h"
#include "agent/events/throw_source.h"
#include "agent/jvm/jni.h"
#include "agent/locks/ranked_mutex.h"
#include "agent/probes/exception_tables.h"
#include "agent/probes/ignored_throws.h"
#include "agent/probes/memory_errors.h"
#include "agent/probes/throw_site.h"
#include "agent/threads/tracked_thread.h"
#include "codec/result.h"

namespace jvmdebug::agent {
class Agent;
}

namespace jvmdebug::agent::probes {

class ThrowWatch final : public events::ThrowSource {
 public:
  explicit ThrowWatch(Agent& agent);

  // --- agent threads, one at a time ----------------------------------------------------------
  // After a request for exceptions has been published, or became inactive.
  [[nodiscard]] Result<void> update() override;
  void classes_redefined();

  // --- on the thread itself ------------------------------------------------------------------
  // At the end of a constructor of Throwable, for an exception of a requested class. Returns what
  // throw_hook.h says of report().
  jint constructed(const jvm::Jni& jni, jthrowable exception);
  // In front of an instruction that throws something which was not made there. Returns what
  // throw_hook.h says of reached().
  jint about_to_throw(const jvm::Jni& jni, jthrowable exception);
  // Whether a thread that waits in Java has to wait on.
  [[nodiscard]] bool still_waits(const jvm::Jni& jni);
  // After the event of the breakpoint was reported to the debugger.
  void at_breakpoint(const jvm::Jni& jni, const events::Occurrence& occurrence) override;
  void thread_ended(const threads::Tracked& self) override;

 private:
  // An exception that a thread holds and may throw.
  struct Expected {
    std::shared_ptr<jvm::GlobalRef<jobject>> exception;
    jmethodID method = nullptr;
    jint frames = 0;  // when it gets there
    std::vector<jlocation> locations;
    bool throws_next = false;
    int returns = 0;  // by how many methods it was returned
    int number = 0;   // another one for each
  };

  // One that is thrown, or let go.
  struct Reached {
    Expected expected;
    Exit exit{};
  };

  [[nodiscard]] Result<void> hook();
  void unhook();
  [[nodiscard]] bool set_requested(const jvm::Jni& jni, const std::vector<jclass>& types) const;
  [[nodiscard]] bool forget_ignored(const jvm::Jni& jni);

  // The outcome of examining a new exception.
  struct Examined {
    std::optional<events::Occurrence> thrown_here;
    // It is ignored; the deepest frame that decided that.
    std::optional<std::size_t> decided_by;
    std::size_t first = 0;     // the frame behind those of the exception's constructors
    bool is_foreseen = false;  // Java code has made it, and is going to throw it
  };

  // An exception thrown in a frame, and the deepest frame that decides where it is caught.
  struct Thrown {
    events::Occurrence occurrence;
    std::size_t decided_by = 0;
  };

  void out_of_memory(const jvm::Jni& jni, jthrowable error);
  [[nodiscard]] Examined examine(const jvm::Jni& jni, jthrowable exception, Stack& stack);
  // Where the VM reports no breakpoints: it is reported before it is thrown.
  [[nodiscard]] Examined foresee(const jvm::Jni& jni, jobject exception, Stack& stack,
                                 const Origin& origin);
  [[nodiscard]] bool tells_itself(std::size_t depth, jlocation index) const;
  // Whether the thread has to wait in Java now, which a virtual one can if it may park.
  bool report_here(const jvm::Jni& jni, const events::Occurrence& occurrence, bool may_park);
  void go_on(const threads::Tracked& self);
  // The deepest frame that decided that it is ignored; else it is expected, if it can be.
  std::optional<std::size_t> follow(const jvm::Jni& jni, jobject exception, Stack& stack,
                                    std::size_t depth, bool by_reflection, int returns);
  std::optional<std::size_t> follow_argument(const jvm::Jni& jni, jobject exception, Stack& stack,
                                             std::size_t depth);
  [[nodiscard]] bool may_be_requested(const jvm::Jni& jni, const events::Occurrence& occurrence,
                                      bool is_location_known);
  [[nodiscard]] Thrown thrown_at(const jvm::Jni& jni, jobject exception, Stack& stack,
                                 std::size_t depth, jlocation index);

  // Whether one of the ways out of a method may be a throw that a request matches.
  struct Outlook {
    bool requested = false;
    std::size_t decided_by = 0;
  };

  [[nodiscard]] Outlook outlook(const jvm::Jni& jni, jobject exception, Stack& stack,
                                const Exits& exits);

  // Whether it is expected where a handler may throw it again that is going to catch it when it is
  // thrown in a frame; and the deepest frame that decides that.
  struct Again {
    bool is_expected = false;
    std::size_t decided_by = 0;
  };

  Again expect_again(const jvm::Jni& jni, jobject exception, Stack& stack, std::size_t depth,
                     jlocation index);
  void after_report(const jvm::Jni& jni, jobject exception, std::size_t depth, jlocation index);
  void expect_at(const jvm::Jni& jni, jobject exception, Stack& stack,
                 const ExceptionTables::Rethrow& again);
  // Whether it is expected there already, as what is thrown next. Others are not any more.
  [[nodiscard]] bool is_expected_at(const jvm::Jni& jni, const threads::Tracked& self,
                                    const events::Occurrence& thrown, jint frames);
  // False: there can be no breakpoint at any of the locations.
  bool expect(const threads::Tracked& self, Expected expected);
  void forget(const threads::Tracked& self, const std::function<bool(const Expected&)>& which);
  void remove_breakpoints(const Expected& expected);
  // Whether the thread has come to one of these there; it is expected no more.
  [[nodiscard]] std::optional<Reached> reached(const jvm::Jni& jni, const threads::Tracked& self,
                                               const events::Occurrence& occurrence);

  Agent& agent_;
  code::LateEnvironment* late_ = nullptr;  // from the first hook() on
  std::unique_ptr<ExceptionTables> tables_;
  jvm::GlobalRef<jclass> hook_class_;
  bool hooked_ = false;
  std::atomic<bool> watching_ = false;
  std::atomic<int> redefinitions_ = 0;
  IgnoredThrows ignored_;
  MemoryErrors memory_errors_;

  RankedMutex<Rank::kExpectedThrows> mutex_;
  // Of a thread the newest last: what is thrown while a handler has the exception is expected as
  // well.
  std::unordered_map<threads::Tracked, std::vector<Expected>> expected_;
  int last_number_ = 0;
  std::atomic<std::size_t> expecting_ = 0;
};

}  // namespace jvmdebug::agent::probes
