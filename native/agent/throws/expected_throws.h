// SPDX-License-Identifier: Apache-2.0
//
// Theory of operation: exceptions that threads hold, and the breakpoints that show what becomes of
// them.
//
// An exception that Java code constructs is thrown later, or never. So there are breakpoints of the
// VM wherever the code that holds it may throw or return it (throw_site.h finds these places). An
// expected exception is recognized by the thread, the method, the height of the frame, and in the
// end by the object itself.
//
//     expect()        sets breakpoints at all the locations, and forgets exceptions that frames
//                     above this one held
//     reached()       the thread has come to one of them: the exception is no longer expected, and
//                     the caller decides what follows (it is thrown, or returned to its caller)
//     is_next()       code is about to report a throw itself: whether a breakpoint does already
//     forget_all()    the thread ends
//
// A thread has few expected exceptions at a time; with too many, the oldest is forgotten. While a
// handler holds an exception, other exceptions that are thrown in it are expected too, so the
// newest is looked at first.
//
// Threads: each function is for the thread itself, except end() and is_any(). The lock guards the
// map and is not held during calls into the VM. Breakpoints are removed on a thread of the agent.
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
  jint frames = 0;  // the number of frames from the thread's first one up to the one that holds it
  std::vector<jlocation> locations;
  bool throws_next = false;  // whether it is certain that this is what is thrown there
  int returns = 0;           // how many methods have returned it
  int number = 0;            // a different one for each
};

class ExpectedThrows {
 public:
  ExpectedThrows(const jvm::Env& env, events::Breakpoints& breakpoints)
      : env_(env), breakpoints_(breakpoints) {}

  // An expected exception at one of its locations, and what the thread does with it there.
  struct Reached {
    ExpectedThrow expected;
    Exit exit{};
  };

  // Expects an exception. False if no breakpoint can be set at any of its locations.
  bool expect(const threads::Tracked& self, ExpectedThrow expected);
  // Returns the expected exception whose location the thread has reached, if there is one, and
  // forgets it.
  [[nodiscard]] std::optional<Reached> reached(const jvm::Jni& jni, const threads::Tracked& self,
                                               const events::Occurrence& occurrence);
  // Whether a breakpoint already reports this exception as the next one thrown there. Forgets
  // others that are expected at this location.
  [[nodiscard]] bool is_next(const jvm::Jni& jni, const threads::Tracked& self,
                             const events::Occurrence& thrown, jint frames);
  void forget_all(const threads::Tracked& self);

  // Whether any exception is expected. Any thread.
  [[nodiscard]] bool is_any() const { return expecting_ != 0; }

  // Forgets all expected exceptions. Agent threads.
  void end();

 private:
  void forget(const threads::Tracked& self, const std::function<bool(const ExpectedThrow&)>& which);
  void remove_breakpoints(const ExpectedThrow& expected);

  const jvm::Env& env_;
  events::Breakpoints& breakpoints_;
  RankedMutex<Rank::kExpectedThrows> mutex_;
  // The newest of a thread is the last one, because exceptions that are thrown while a handler
  // holds one are expected too.
  std::unordered_map<threads::Tracked, std::vector<ExpectedThrow>> expected_;
  int last_number_ = 0;
  std::atomic<std::size_t> expecting_ = 0;
};

}  // namespace jvmdebug::agent::throws
