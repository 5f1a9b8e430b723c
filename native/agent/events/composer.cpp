// SPDX-License-Identifier: Apache-2.0
#include "agent/events/composer.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <memory>
#include <utility>

#include "agent/events/near_frame.h"
#include "agent/events/sender.h"
#include "agent/events/throw_source.h"
#include "agent/events/wire_events.h"
#include "agent/scope.h"
#include "agent/threads/frame_popper.h"
#include "agent/threads/parking.h"
#include "agent/threads/stepper.h"

namespace jvmdebug::agent::events {

using protocol::EventKind;
using protocol::SuspendPolicy;

RequestList Composer::breakpoints_at(const Occurrence& occurrence) const {
  return uses_.requests.breakpoints_at({.method = occurrence.method, .index = occurrence.index});
}

// The current thread.
bool Composer::is_stepping() const {
  const auto self = uses_.registry.current();
  return self && self->step.load();
}

bool Composer::may_skip_exit(const jvm::Jni& jni, jthread thread, jmethodID method) {
  for (const EventKind kind : {EventKind::kMethodExit, EventKind::kMethodExitWithReturnValue}) {
    const RequestList requests = uses_.requests.of(kind);
    if (requests && !std::ranges::all_of(*requests, [&](const Request& request) {
          return !request->active || is_far_from(request, jni, thread, method);
        })) {
      return false;
    }
  }
  return true;
}

bool Composer::may_skip_entry(jmethodID method) const {
  const RequestList requests = uses_.requests.of(EventKind::kMethodEntry);
  return (!requests || requests->empty()) && uses_.stepper.passes_entry(method);
}

bool Composer::is_far_from(const Request& request, const jvm::Jni& jni, jthread thread,
                           jmethodID method) {
  if (!request->near_frame) {
    return false;
  }
  NearFrame& near = *request->near_frame;
  if (!jni.same(thread, near.thread()->thread)) {
    return true;
  }
  if (!near.is_far(uses_.env, method)) {
    return false;
  }
  if (near.is_exhausted() && request->active.exchange(false)) {
    retire_exhausted(request, jni, thread);
  }
  return true;
}

// Clears a request whose budget is used up for the thread, and tells the debugger so.
void Composer::retire_exhausted(const Request& request, const jvm::Jni& jni, jthread thread) {
  uses_.sender.run_soon([&table = uses_.requests, request] { table.retire(request); }, false);
  const auto self = uses_.registry.enter(jni, thread);
  const Occurrence occurrence{.kind = EventKind::kNearFrameExhausted, .thread = thread};
  EventSet set;
  set.add({.what = retain(uses_.env, jni, occurrence),
           .kind = occurrence.kind,
           .request_id = request->id},
          SuspendPolicy::kNone, request->debugger);
  report(jni, self, std::move(set));
}

void Composer::take(const jvm::Jni& jni, const Occurrence& occurrence) {
  const bool is_breakpoint = occurrence.kind == EventKind::kBreakpoint;
  const auto added = uses_.requests.breakpoints_added();
  RequestList here = is_breakpoint ? breakpoints_at(occurrence) : nullptr;
  if (is_breakpoint && !here && !is_stepping()) {
    return;  // set for a step of another thread, and hit often
  }
  const auto self = uses_.registry.enter(jni, occurrence.thread);
  if (is_breakpoint && added != uses_.requests.breakpoints_added()) {
    here = breakpoints_at(occurrence);  // added while the thread had to wait
  }
  take_entered(jni, occurrence, self, here);
}

void Composer::take_entered(const jvm::Jni& jni, const Occurrence& occurrence,
                            const threads::Tracked& self, const RequestList& here) {
  if (!self) {
    // On our own threads only class prepare events count: a command may have prepared a class.
    if (occurrence.kind == EventKind::kClassPrepare) {
      Occurrence without_thread = occurrence;
      without_thread.thread = nullptr;
      Match match(uses_.env, jni, without_thread, self);
      EventSet set;
      collect(without_thread, here, match, set);
      report(jni, self, std::move(set));
    }
    return;
  }
  if (occurrence.kind == EventKind::kSingleStep) {
    uses_.stepper.on_single_step(self);
  }
  if (const auto target = self->jumps_to.load()) {
    arrive_at(jni, occurrence, self, *target);
    return;
  }
  if (self->step_to_pop && occurrence.kind == EventKind::kSingleStep) {
    uses_.frame_popper.arrived(jni, self);
    return;
  }
  Match match(uses_.env, jni, occurrence, self);
  const bool entered_by_step =
      occurrence.kind == EventKind::kMethodEntry && uses_.stepper.on_method_entry(self, match);
  report_stale_pending(jni, occurrence, self);
  const bool returned_by_step = occurrence.kind == EventKind::kBreakpoint &&
                                uses_.stepper.returns_to_breakpoint(
                                    self, {.method = occurrence.method, .index = occurrence.index});
  if (returned_by_step) {
    collect_as_step(jni, occurrence, self);
  }
  collect(occurrence, here, match, self->pending);
  if (entered_by_step) {
    collect_as_step(jni, occurrence, self);
  }
  if (self->pending.events.empty() || waits_for_another(occurrence, self, entered_by_step)) {
    return;
  }
  EventSet set = std::exchange(self->pending, {});
  if (was_reported(occurrence, here, self)) {
    self->last_reported = {};
    return;
  }
  // Where a probe is hit the VM reports its own breakpoint next, if it has one.
  const bool is_colocatable = occurrence.kind == EventKind::kSingleStep ||
                              occurrence.kind == EventKind::kMethodEntry ||
                              !occurrence.probed.empty();
  self->last_reported = is_colocatable ? threads::ReportedLocation{.method = occurrence.method,
                                                                   .index = occurrence.index}
                                       : threads::ReportedLocation{};
  {
    const ScopedValue<CodeLocation> at_breakpoint(
        self->at_breakpoint,
        occurrence.kind == EventKind::kBreakpoint
            ? CodeLocation{.method = occurrence.method, .index = occurrence.index}
            : CodeLocation{});
    report(jni, self, std::move(set));
  }
  if (is_colocatable) {
    Occurrence by_vm = occurrence;
    by_vm.probed.clear();
    self->last_reported = {.method = occurrence.method,
                           .index = occurrence.index,
                           .newest_breakpoint = newest_breakpoint_at(by_vm)};
  }
}

// Lets a thread that jumps stay at its target. A breakpoint there is not hit: the thread has been
// put there, and its stop is told by the answer to the command.
void Composer::arrive_at(const jvm::Jni& jni, const Occurrence& occurrence,
                         const threads::Tracked& self, const threads::Arrival& target) {
  const threads::Arrival here{.method = occurrence.method, .index = occurrence.index};
  if (occurrence.kind != EventKind::kSingleStep || occurrence.in_old_frame || here != target) {
    return;
  }
  self->jumps_to.store(nullptr);
  uses_.frame_popper.arrived(jni, self);
  self->last_reported = {.method = occurrence.method,
                         .index = occurrence.index,
                         .newest_breakpoint = newest_breakpoint_at(occurrence)};
}

// Returns the newest breakpoint request at the location, 0 if there is none; request numbers only
// grow. Called when the thread goes on, because the debugger may have set a breakpoint there
// meanwhile.
std::int32_t Composer::newest_breakpoint_at(const Occurrence& occurrence) const {
  std::int32_t newest = 0;
  const auto requests = breakpoints_at(occurrence);
  for (const Request& request : requests ? *requests : std::vector<Request>{}) {
    newest = std::max(newest, request->is_at(occurrence) ? request->id : 0);
  }
  return newest;
}

// Whether the VM will report a breakpoint there that a request wants.
bool Composer::vm_reports_at(const Occurrence& occurrence) const {
  const auto requests = breakpoints_at(occurrence);
  return requests && std::ranges::any_of(*requests, [&](const Request& request) {
           return request->is_at(occurrence);
         });
}

// Handles a step that has reached a location for which the VM reports another kind of event.
void Composer::collect_as_step(const jvm::Jni& jni, const Occurrence& occurrence,
                               const threads::Tracked& self) {
  self->last_reported = {};  // the last event here was in a frame that is gone
  Occurrence step = occurrence;
  step.kind = EventKind::kSingleStep;
  Match match(uses_.env, jni, step, self);
  collect(step, nullptr, match, self->pending);
}

// Reports events that waited for a breakpoint at the same location, if the debugger cleared it
// before the thread reached it, or for a step, where the VM reports none: in a method that it calls
// itself, to load a class. The exit of that method is another set, even if it has one instruction.
void Composer::report_stale_pending(const jvm::Jni& jni, const Occurrence& occurrence,
                                    const threads::Tracked& self) {
  if (self->pending.events.empty()) {
    return;
  }
  const RetainedOccurrence& waited = *self->pending.events.back().what;
  if (waited.method != occurrence.method || waited.index != occurrence.index ||
      occurrence.kind == EventKind::kMethodExit) {
    report(jni, self, std::exchange(self->pending, {}));
  }
}

// Newest request first, as from the JDK's own agent.
void Composer::collect(const Occurrence& occurrence, const RequestList& here, Match& match,
                       EventSet& set) {
  const auto before = static_cast<std::ptrdiff_t>(set.events.size());
  collect_all(occurrence, here, match, set);
  std::ranges::sort(set.events.begin() + before, set.events.end(), std::ranges::greater{},
                    &PendingEvent::request_id);
}

void Composer::collect_all(const Occurrence& occurrence, const RequestList& here, Match& match,
                           EventSet& set) {
  if (occurrence.kind == EventKind::kBreakpoint) {
    collect_from(here, occurrence, match, set);
    return;
  }
  const RequestTable& requests = uses_.requests;
  collect_from(requests.of(occurrence.kind), occurrence, match, set);
  if (occurrence.kind == EventKind::kMethodExit) {
    collect_from(requests.of(EventKind::kMethodExitWithReturnValue), occurrence, match, set);
  }
}

void Composer::collect_from(const RequestList& requests, const Occurrence& occurrence, Match& match,
                            EventSet& set) {
  if (!requests) {
    return;
  }
  std::shared_ptr<const RetainedOccurrence> retained;
  for (const Request& request : *requests) {
    if (!request->active || !request->is_at(occurrence)) {
      continue;
    }
    const bool wanted = request->matches(match);
    if (request->spent && request->active.exchange(false)) {
      uses_.sender.run_soon([&table = uses_.requests, request] { table.retire(request); }, false);
    }
    if (!wanted) {
      continue;
    }
    if (!retained) {
      retained = retain(uses_.env, match.jni(), occurrence);
    }
    set.add({.what = retained,
             .kind = request->kind,
             .request_id = request->id,
             .shown = request->shown},
            request->policy, request->debugger);
  }
}

// Whether the VM will report another event at the same location; both go in one event set.
bool Composer::waits_for_another(const Occurrence& occurrence, const threads::Tracked& self,
                                 bool stepped) {
  const bool entry = occurrence.kind == EventKind::kMethodEntry;
  if ((!entry && occurrence.kind != EventKind::kSingleStep) || occurrence.index < 0) {
    return false;
  }
  if (self->is_arriving || vm_reports_at(occurrence)) {
    return true;
  }
  const auto step = self->step.load();
  return entry && !stepped && step && step->counts() && step->single_steps;
}

// A breakpoint that was set while the thread stood there for a step is not hit again. If all
// breakpoints there were set later, the thread has left the location and come back.
bool Composer::was_reported(const Occurrence& occurrence, const RequestList& here,
                            const threads::Tracked& self) {
  const threads::ReportedLocation& last = self->last_reported;
  if (occurrence.kind != EventKind::kBreakpoint || last.method != occurrence.method ||
      last.index != occurrence.index) {
    return false;
  }
  return here && occurrence.probed.empty() &&
         std::ranges::any_of(*here, [&](const Request& request) {
           return request->id <= last.newest_breakpoint && request->is_at(occurrence);
         });
}

void Composer::report(const jvm::Jni& jni, const threads::Tracked& self, EventSet set) {
  if (set.events.empty()) {
    return;
  }
  if (set.stops() && vm_dies_) {
    return;  // no debugger would resume what it suspends
  }
  const bool stops = set.stops() && self != nullptr;
  if (!stops) {
    uses_.sender.send(std::move(set), self, false);
    return;
  }
  uses_.parking.begin_report(self);
  if (self->waits_in_java) {
    uses_.sender.send(std::move(set), self, true);
    return;  // Parking::stays does the rest
  }
  const AtExit leave([&] { uses_.parking.leave(self); });
  uses_.sender.send(std::move(set), self, true);
  uses_.parking.park(jni, self);
}

// --- events without a location ---------------------------------------------------------------

void Composer::thread_started(const jvm::Jni& jni, jthread thread) {
  take(jni, {.kind = EventKind::kThreadStart, .thread = thread});
}

namespace {

// Whether the current thread reports its end while it ends the VM: inside Runtime.exit or halt,
// where it still has frames, or as HotSpot's last thread, which has a special name. Virtual threads
// also have frames at their end, but do not end the VM.
bool ends_vm(const jvm::Env& env, const jvm::Jni& jni, jthread thread) {
  if (jni.is_virtual_thread(thread)) {
    return false;
  }
  if (env.get_frame_count(nullptr).value_or(0) > 0) {
    return true;
  }
  const auto record = env.get_thread_info(thread);
  if (!record) {
    return false;
  }
  (void)jni.adopt(record->group);
  (void)jni.adopt(record->context_class_loader);
  return record->name.view() == "DestroyJavaVM";
}

}  // namespace

void Composer::thread_ended(const jvm::Jni& jni, jthread thread) {
  const AtExit forget([&] {
    // A virtual thread is tracked only if the debugger has its id.
    if (const auto self = uses_.registry.current()) {
      uses_.registry.forget(self);
    }
  });
  if (uses_.requests.of(EventKind::kThreadDeath)) {
    if (ends_vm(uses_.env, jni, thread)) {
      uses_.sender.stop_waiting();  // a debugger that reads nothing must not hold the end
    }
    take(jni, {.kind = EventKind::kThreadDeath, .thread = thread});
  }
  if (const auto self = uses_.registry.current()) {
    uses_.stepper.thread_ended(self);
    uses_.throws.thread_ended(self);
  }
}

void Composer::frame_popped(const jvm::Jni& jni, jthread thread) {
  if (const auto self = uses_.registry.enter(jni, thread)) {
    uses_.stepper.on_frame_pop(self);
  }
}

void Composer::exception_caught(const jvm::Jni& jni, jthread thread) {
  if (const auto self = uses_.registry.enter(jni, thread)) {
    uses_.stepper.on_exception_catch(self);
  }
}

void Composer::report_start(const jvm::Jni& jni, const Occurrence& occurrence, bool suspend,
                            const std::function<void()>& sent) {
  const auto self = uses_.registry.enter(jni, occurrence.thread);
  EventSet set;
  set.add({.what = retain(uses_.env, jni, occurrence), .kind = occurrence.kind},
          suspend ? SuspendPolicy::kAll : SuspendPolicy::kNone, uses_.sender.debugger());
  uses_.parking.begin_report(self);
  const AtExit leave([&] { uses_.parking.leave(self); });
  uses_.sender.send(std::move(set), self, true);
  sent();
  if (suspend) {
    uses_.parking.park(jni, self);
  }
}

void Composer::vm_died(const jvm::Jni& jni, const std::function<void()>& hold) {
  const Occurrence occurrence{.kind = EventKind::kVmDeath};
  // The thread's end may have been reported already; it must be tracked again to be suspended.
  const auto thread = uses_.env.get_current_thread();
  const auto self = thread ? uses_.registry.enter(jni, *thread) : nullptr;
  Match match(uses_.env, jni, occurrence, self);
  EventSet set;
  collect(occurrence, nullptr, match, set);
  // Reported without a request as well, as request 0.
  set.add({.what = retain(uses_.env, jni, occurrence), .kind = EventKind::kVmDeath},
          SuspendPolicy::kNone, uses_.sender.debugger());
  if (!set.stops() || !self) {
    uses_.sender.send_last(std::move(set), self);
    return;
  }
  hold();
  uses_.parking.begin_report(self);
  const AtExit leave([&] { uses_.parking.leave(self); });
  uses_.sender.send_last(std::move(set), self);
  uses_.parking.park(jni, self);
}

void Composer::class_unloaded(const jvm::Jni& jni, const std::string& signature) {
  Occurrence occurrence{.kind = EventKind::kClassUnload};
  occurrence.signature = signature;
  const threads::Tracked nobody;
  Match match(uses_.env, jni, occurrence, nobody);
  EventSet set;
  collect(occurrence, nullptr, match, set);
  // Reported some time after it happened, so it suspends no thread, whatever its requests say.
  set.policy = SuspendPolicy::kNone;
  report(jni, nobody, std::move(set));
}

}  // namespace jvmdebug::agent::events
