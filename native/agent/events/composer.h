// SPDX-License-Identifier: Apache-2.0
//
// Turns an occurrence into an event set: asks the requests, collects the events at one location
// into one set (method entry, step and breakpoint), hands the set to the sender and parks the
// thread until the debugger resumes it. Runs on the thread of the event; holds no lock over a call
// into the VM (see threads/thread_registry.h).
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>

#include <jvmti.h>

#include "agent/events/event_set.h"
#include "agent/events/match.h"
#include "agent/events/request_table.h"
#include "agent/threads/thread_registry.h"

namespace jvmdebug::agent::threads {
class FramePopper;
class Parking;
class Stepper;
}  // namespace jvmdebug::agent::threads

namespace jvmdebug::agent::events {

class Sender;
class ThrowSource;

class Composer {
 public:
  struct Uses {
    const jvm::Env& env;
    threads::ThreadRegistry& registry;
    threads::Parking& parking;
    threads::Stepper& stepper;
    threads::FramePopper& frame_popper;
    RequestTable& requests;
    Sender& sender;
    ThrowSource& throws;
  };

  explicit Composer(const Uses& uses) : uses_(uses) {}

  // Handles an event of the current thread.
  void take(const jvm::Jni& jni, const Occurrence& occurrence);
  // Whether no request can match the exit of the method; checked first, as most exits match none.
  // If true, take() is not called.
  [[nodiscard]] bool may_skip_exit(const jvm::Jni& jni, jthread thread, jmethodID method);
  // Called when the thread has begun; returns when it may run.
  void thread_started(const jvm::Jni& jni, jthread thread);
  void thread_ended(const jvm::Jni& jni, jthread thread);
  // Handles a frame pop, for steps only; frame pops are never reported.
  void frame_popped(const jvm::Jni& jni, jthread thread);
  void exception_caught(const jvm::Jni& jni, jthread thread);

  // Reports the first event that a debugger gets: VM start, or the exception at which debugging
  // began. It needs no request; its request id is 0. Calls `sent` when it was sent.
  void report_start(const jvm::Jni& jni, const Occurrence& occurrence, bool suspend,
                    const std::function<void()>& sent);

  // Called when the VM begins to end: events no longer stop threads. Any thread; makes no call into
  // the VM.
  void vm_dies() { vm_dies_ = true; }

  // Reports the last event. If the debugger has requested it with a suspend policy, calls `hold`
  // first, and the VM stays until it is resumed.
  void vm_died(const jvm::Jni& jni, const std::function<void()>& hold);
  void class_unloaded(const jvm::Jni& jni, const std::string& signature);

 private:
  void take_entered(const jvm::Jni& jni, const Occurrence& occurrence, const threads::Tracked& self,
                    const RequestList& here);
  // `here`: the requests for a breakpoint at its location, looked up once for each hit.
  void collect(const Occurrence& occurrence, const RequestList& here, Match& match, EventSet& set);
  void collect_all(const Occurrence& occurrence, const RequestList& here, Match& match,
                   EventSet& set);
  void collect_from(const RequestList& requests, const Occurrence& occurrence, Match& match,
                    EventSet& set);
  void collect_as_step(const jvm::Jni& jni, const Occurrence& occurrence,
                       const threads::Tracked& self);
  [[nodiscard]] bool waits_for_another(const Occurrence& occurrence, const threads::Tracked& self,
                                       bool stepped);
  void report_stale_pending(const jvm::Jni& jni, const Occurrence& occurrence,
                            const threads::Tracked& self);
  [[nodiscard]] RequestList breakpoints_at(const Occurrence& occurrence) const;
  [[nodiscard]] bool vm_reports_at(const Occurrence& occurrence) const;
  [[nodiscard]] std::int32_t newest_breakpoint_at(const Occurrence& occurrence) const;
  [[nodiscard]] static bool was_reported(const Occurrence& occurrence, const RequestList& here,
                                         const threads::Tracked& self);
  [[nodiscard]] bool is_far_from(const Request& request, const jvm::Jni& jni, jthread thread,
                                 jmethodID method);
  void retire_exhausted(const Request& request, const jvm::Jni& jni, jthread thread);
  [[nodiscard]] bool is_stepping() const;
  void report(const jvm::Jni& jni, const threads::Tracked& self, EventSet set);

  const Uses uses_;
  std::atomic<bool> vm_dies_ = false;
};

}  // namespace jvmdebug::agent::events
