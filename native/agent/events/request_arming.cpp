// SPDX-License-Identifier: Apache-2.0
// The part of RequestTable that makes the VM report what the requests need.
#include <algorithm>
#include <utility>

#include "agent/events/checks.h"
#include "agent/events/class_unload.h"
#include "agent/events/method_exits.h"
#include "agent/events/request_kinds.h"
#include "agent/events/request_table.h"
#include "agent/events/throw_source.h"
#include "agent/threads/stepper.h"
#include "agent/threads/thread_registry.h"

namespace jvmdebug::agent::events {

using protocol::EventKind;

Result<void> RequestTable::arm(const Request& request) {
  switch (request->kind) {
    case EventKind::kBreakpoint:
      if (uses_.filters.checks.stops_in_check()) {
        request->armed = true;  // hit where a probe is put: Probes.Install
        return {};
      }
      if (request->by_probe) {
        uses_.breakpoints.add_for_probe(request->location);
      } else {
        JVMDEBUG_CHECK(uses_.breakpoints.add(request->location));
      }
      break;
    case EventKind::kFieldAccess:
    case EventKind::kFieldModification:
      JVMDEBUG_CHECK(arm_watch(*request));
      break;
    case EventKind::kSingleStep:
      // Enables its events first: the step may need one at once.
      JVMDEBUG_CHECK(set_modes(*request, true));
      if (const auto begun = uses_.filters.stepper.begin(request->thread, request->step); !begun) {
        (void)set_modes(*request, false);
        return begun;
      }
      request->armed = true;
      return {};
    case EventKind::kException:
      if (watches_throws()) {
        // The events of its breakpoints are enabled first.
        JVMDEBUG_CHECK(set_modes(*request, true));
        if (const auto watched = uses_.throws.update(); !watched) {
          (void)set_modes(*request, false);
          return watched;
        }
        request->armed = true;
        return {};
      }
      break;
    case EventKind::kMethodExit:
    case EventKind::kMethodExitWithReturnValue:
      if (watches_returns(request->kind)) {
        // Enabled first, so that classes that are prepared meanwhile are not missed.
        JVMDEBUG_CHECK(set_modes(*request, true));
        if (const auto done = uses_.method_exits.arm(request); !done) {
          (void)set_modes(*request, false);
          return done;
        }
        request->armed = true;
        return {};
      }
      break;
    case EventKind::kClassUnload:
      JVMDEBUG_CHECK(uses_.class_unloads.start());
      break;
    default:
      break;
  }
  JVMDEBUG_CHECK(set_modes(*request, true));
  request->armed = true;
  return {};
}

void RequestTable::disarm(const Request& request) {
  if (!std::exchange(request->armed, false) || uses_.life.vm_is_dead()) {
    return;
  }
  switch (request->kind) {
    case EventKind::kBreakpoint:
      // The order matters: nothing else may take the place of the probe in between.
      uses_.breakpoints.remove(request->location);
      uses_.filters.checks.remove(request);
      break;
    case EventKind::kFieldAccess:
    case EventKind::kFieldModification:
      disarm_watch(*request);
      break;
    case EventKind::kSingleStep:
      uses_.filters.stepper.end(request->thread, request->step);
      break;
    case EventKind::kException:
      if (watches_throws()) {
        // With fewer requests this fails only when memory runs out; then more events are enabled
        // than needed.
        (void)uses_.throws.update();
      }
      break;
    case EventKind::kMethodExit:
    case EventKind::kMethodExitWithReturnValue:
      uses_.method_exits.disarm(*request);
      break;
    default:
      break;
  }
  // Disabling an enabled event fails only for a thread that has ended.
  (void)set_modes(*request, false);
}

bool RequestTable::watches_throws() const {
  return !env_.has(jvm::Capability::kGenerateExceptionEvents);
}

bool RequestTable::watches_returns(EventKind kind) const {
  return (kind == EventKind::kMethodExit || kind == EventKind::kMethodExitWithReturnValue) &&
         !env_.has(jvm::Capability::kGenerateMethodExitEvents);
}

jvm::Result<void> RequestTable::set_modes(const EventRequest& request, bool on) {
  jvmtiEvent event = modes_of(request.kind)->event;
  threads::Tracked thread = request.thread;
  const bool step_by_breakpoints =
      request.kind == EventKind::kSingleStep && !env_.has(jvm::Capability::kGenerateFramePopEvents);
  if (step_by_breakpoints || (request.kind == EventKind::kException && watches_throws())) {
    event = JVMTI_EVENT_BREAKPOINT;  // ReturnBreakpoints and ThrowWatch use them
    thread = nullptr;
    if (!env_.has(jvm::Capability::kGenerateBreakpointEvents)) {
      event = kNoEvent;  // ThrowWatch needs none
    }
  }
  if (watches_returns(request.kind)) {
    const bool follows = follows_entries(request);
    event = follows ? JVMTI_EVENT_METHOD_ENTRY : JVMTI_EVENT_CLASS_PREPARE;
    thread = follows ? request.thread : nullptr;
    if (!on) {
      modes_.disable(JVMTI_EVENT_BREAKPOINT, nullptr);
    } else if (const auto enabled = modes_.enable(JVMTI_EVENT_BREAKPOINT, nullptr); !enabled) {
      return enabled;
    } else if (const auto both = modes_.enable(event, thread); !both) {
      modes_.disable(JVMTI_EVENT_BREAKPOINT, nullptr);
      return both;
    } else {
      return {};
    }
  }
  if (event == jvm::kVirtualThreadStart || event == jvm::kVirtualThreadEnd) {
    thread = nullptr;  // the VM cannot enable them for one thread
    if (!env_.has(jvm::Capability::kSupportVirtualThreads) || uses_.includes_virtual) {
      event = kNoEvent;  // not in this VM, or always enabled: see watch_threads()
    }
  }
  if (event == kNoEvent) {
    return {};
  }
  if (on) {
    return modes_.enable(event, thread);
  }
  modes_.disable(event, thread);
  if (event == jvm::kVirtualThreadEnd) {
    uses_.filters.registry.virtual_thread_ends().enable_again();
  }
  return {};
}

jvm::Result<void> RequestTable::set_watch(const EventRequest& request, bool on) {
  const WatchedField& field = request.field;
  if (request.kind == EventKind::kFieldAccess) {
    return on ? env_.set_field_access_watch(field.declaring(), field.field)
              : env_.clear_field_access_watch(field.declaring(), field.field);
  }
  return on ? env_.set_field_modification_watch(field.declaring(), field.field)
            : env_.clear_field_modification_watch(field.declaring(), field.field);
}

Result<void> RequestTable::arm_watch(const EventRequest& request) {
  const auto set = set_watch(request, true);
  // DUPLICATE: another request has set it.
  if (!set && !(set.error() == JVMTI_ERROR_DUPLICATE)) {
    return std::unexpected(set.error());
  }
  return {};
}

void RequestTable::disarm_watch(const EventRequest& request) {
  if (!shares_watch(request)) {
    // Fails only for an unloaded class.
    (void)set_watch(request, false);
  }
}

bool RequestTable::shares_watch(const EventRequest& request) const {
  const jvm::Jni jni = env_.jni();
  const auto all = of(request.kind);
  return all && std::ranges::any_of(*all, [&](const Request& other) {
           return other.get() != &request && other->field.field == request.field.field &&
                  jni.same(other->field.declaring(), request.field.declaring());
         });
}

}  // namespace jvmdebug::agent::events
