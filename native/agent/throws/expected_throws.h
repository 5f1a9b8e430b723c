// SPDX-License-Identifier: Apache-2.0
//
// Theory of operation: exceptions that threads hold, and the breakpoints that say what becomes of
// them.
//
// What Java code constructs is thrown later, or never. So there are breakpoints of the VM where the
// code that has it may throw or return it (throw_site.h says where). One that is expected there is
// known by the thread, the method, the height of the frame, and at the end by the exception itself.
//
//     expect()          breakpoints at all the locations; what deeper frames held has gone
//     reached()         the thread has come to one of them: it is expected no more, and the caller
//                       decides what follows (it is thrown, or returned to the next frame)
//     forget()          the thread ends, or it is reported in another way
//
// A thread holds few at a time; the oldest is let go. While a handler has one, what is thrown in it
// is expected as well, so the newest is looked for first.
//
// Threads: each function is for the thread itself, but end() and is_any(). The lock guards the map,
// and no call into the VM is made under it; breakpoints are removed on a thread of the agent.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include <jvmti.h>

#include "agent/events/event_set.h"
#include "agent/jvm/env.h"
#include "agent/jvm/jni.h"
#include "agent/locks/ranked_mutex.h"
#include "agent/threads/tracked_thread.h"
#include "agent/throws/throw_site.h"

namespace jvmdebug::agent::events {
class Breakpoints;
}

namespace jvmdebug::agent::throws {

// An exception that a thread holds and may throw.
struct ExpectedThrow {
  std::shared_ptr<jvm::GlobalRef<jobject>> exception;
  jmethodID method = nullptr;
  jint frames = 0;  // when it gets there
  std::vector<jlocation> locations;
  bool throws_next = false;
  int returns = 0;  // by how many methods it was returned
  int number = 0;   // another one for each
};

class ExpectedThrows {
 public:
  ExpectedThrows(const jvm::Env& env, events::Breakpoints& breakpoints)
      : env_(env), breakpoints_(breakpoints) {}

  // One that is thrown, or let go.
  struct Reached {
    ExpectedThrow expected;
    Exit exit{};
  };

  // False: there can be no breakpoint at any of the locations.
  bool expect(const threads::Tracked& self, ExpectedThrow expected);
  // Whether the thread has come to one of these there; it is expected no more.
  [[nodiscard]] std::optional<Reached> reached(const jvm::Jni& jni, const threads::Tracked& self,
                                               const events::Occurrence& occurrence);
  // Whether it is expected there already, as what is thrown next. Others are not any more.
  [[nodiscard]] bool is_next(const jvm::Jni& jni, const threads::Tracked& self,
                             const events::Occurrence& thrown, jint frames);
  void forget_all(const threads::Tracked& self);

  // Any thread.
  [[nodiscard]] bool is_any() const { return expecting_ != 0; }

  // Agent threads: nothing is expected any more.
  void end();

 private:
  void forget(const threads::Tracked& self, const std::function<bool(const ExpectedThrow&)>& which);
  void remove_breakpoints(const ExpectedThrow& expected);

  const jvm::Env& env_;
  events::Breakpoints& breakpoints_;
  RankedMutex<Rank::kExpectedThrows> mutex_;
  // Of a thread the newest last: what is thrown while a handler has the exception is expected as
  // well.
  std::unordered_map<threads::Tracked, std::vector<ExpectedThrow>> expected_;
  int last_number_ = 0;
  std::atomic<std::size_t> expecting_ = 0;
};

}  // namespace jvmdebug::agent::throws
