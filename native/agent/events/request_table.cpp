// SPDX-License-Identifier: Apache-2.0
#include "agent/events/request_table.h"

#include <algorithm>
#include <array>
#include <utility>

#include "agent/agent.h"
#include "agent/events/callbacks.h"
#include "agent/events/class_unload.h"
#include "agent/events/method_exits.h"
#include "agent/events/needed_capability.h"
#include "agent/events/sender.h"
#include "agent/probes/probe_table.h"
#include "agent/probes/throw_watch.h"
#include "agent/threads/stepper.h"

namespace jvmdebug::agent::events {
namespace {

using protocol::EventKind;

// The JVM TI event of a kind of request. Breakpoints, steps and watches need more than an event
// mode. Kinds that are missing here are not supported. Start and end of platform threads are always
// enabled, for the ThreadRegistry.
struct KindModes {
  EventKind kind;
  jvmtiEvent event;
};

constexpr auto kNoEvent = static_cast<jvmtiEvent>(0);

constexpr std::array kKinds = {
    KindModes{EventKind::kSingleStep, kNoEvent},
    KindModes{EventKind::kBreakpoint, JVMTI_EVENT_BREAKPOINT},
    KindModes{EventKind::kException, JVMTI_EVENT_EXCEPTION},
    KindModes{EventKind::kThreadStart, kVirtualThreadStart},
    KindModes{EventKind::kThreadDeath, kVirtualThreadEnd},
    KindModes{EventKind::kClassPrepare, JVMTI_EVENT_CLASS_PREPARE},
    KindModes{EventKind::kClassUnload, kNoEvent},
    KindModes{EventKind::kFieldAccess, JVMTI_EVENT_FIELD_ACCESS},
    KindModes{EventKind::kFieldModification, JVMTI_EVENT_FIELD_MODIFICATION},
    KindModes{EventKind::kMethodEntry, JVMTI_EVENT_METHOD_ENTRY},
    KindModes{EventKind::kMethodExit, JVMTI_EVENT_METHOD_EXIT},
    KindModes{EventKind::kMethodExitWithReturnValue, JVMTI_EVENT_METHOD_EXIT},
    KindModes{EventKind::kMonitorContendedEnter, JVMTI_EVENT_MONITOR_CONTENDED_ENTER},
    KindModes{EventKind::kMonitorContendedEntered, JVMTI_EVENT_MONITOR_CONTENDED_ENTERED},
    KindModes{EventKind::kMonitorWait, JVMTI_EVENT_MONITOR_WAIT},
    KindModes{EventKind::kMonitorWaited, JVMTI_EVENT_MONITOR_WAITED},
    KindModes{EventKind::kVmStart, kNoEvent},
    KindModes{EventKind::kVmDeath, kNoEvent},
};

// Kinds that cannot be requested; to clear a request of such a kind is no error.
constexpr std::array kNeverAsked = {EventKind::kFramePop, EventKind::kClassLoad,
                                    EventKind::kExceptionCatch};

const KindModes* modes_of(EventKind kind) {
  const auto* const found = std::ranges::find(kKinds, kind, &KindModes::kind);
  return found == kKinds.end() ? nullptr : found;
}

RequestList with(const RequestList& list, const Request& request) {
  auto copy = list ? *list : std::vector<Request>{};
  copy.push_back(request);
  return std::make_shared<const std::vector<Request>>(std::move(copy));
}

RequestList without(const RequestList& list, const Request& request) {
  auto copy = list ? *list : std::vector<Request>{};
  std::erase(copy, request);
  return copy.empty() ? nullptr : std::make_shared<const std::vector<Request>>(std::move(copy));
}

}  // namespace

RequestTable::RequestTable(Agent& agent) : agent_(agent), modes_(agent) {}

// --- reading ---------------------------------------------------------------------------------

RequestList RequestTable::of(EventKind kind) const {
  const std::scoped_lock lock(published_mutex_);
  const auto found = by_kind_.find(kind);
  return found == by_kind_.end() ? nullptr : found->second;
}

RequestList RequestTable::breakpoints_at(const CodeLocation& location) const {
  const std::scoped_lock lock(published_mutex_);
  ++location_lookups_;
  const auto found = by_location_.find(location);
  return found == by_location_.end() ? nullptr : found->second;
}

std::uint64_t RequestTable::location_lookups() const {
  const std::scoped_lock lock(published_mutex_);
  return location_lookups_;
}

// --- changing --------------------------------------------------------------------------------

Result<Request> RequestTable::make(EventKind kind, protocol::SuspendPolicy policy,
                                   const std::vector<protocol::Modifier>& modifiers) {
  auto request =
      std::make_shared<EventRequest>(next_id_++, kind, policy, agent_.sender().debugger());
  for (const protocol::Modifier& modifier : modifiers) {
    JVMDEBUG_ASSIGN(auto filter, make_filter(agent_, *request, modifier));
    request->filters.push_back(std::move(filter));
  }
  const bool complete =
      (kind != EventKind::kBreakpoint || request->location.method != nullptr) &&
      (kind != EventKind::kSingleStep || request->step) &&
      ((kind != EventKind::kFieldAccess && kind != EventKind::kFieldModification) ||
       request->field.type);
  if (!complete) {
    return fail(protocol::Error::kIllegalArgument);
  }
  if (request->step) {
    request->step->request = request;
  }
  return request;
}

Result<std::int32_t> RequestTable::add(EventKind kind, protocol::SuspendPolicy policy,
                                       const std::vector<protocol::Modifier>& modifiers) {
  if (modes_of(kind) == nullptr) {
    return fail(protocol::Error::kInvalidEventType);
  }
  if (policy > protocol::SuspendPolicy::kAll) {
    return fail(protocol::Error::kIllegalArgument);
  }
  if (const auto needed = needed_for(kind); needed && !agent_.jvmti().has(*needed)) {
    return fail(protocol::Error::kNotImplemented);
  }
  const std::scoped_lock lock(mutex_);
  JVMDEBUG_ASSIGN(const Request request, make(kind, policy, modifiers));
  // Published first: the event may come as soon as it is armed.
  publish(request);
  if (const auto armed = arm(request); !armed) {
    remove(request);
    return std::unexpected(armed.error());
  }
  requests_.emplace(request->id, request);
  return request->id;
}

void RequestTable::publish(const Request& request) {
  const std::scoped_lock lock(published_mutex_);
  if (request->kind == EventKind::kBreakpoint) {
    RequestList& list = by_location_[request->location];
    list = with(list, request);
    ++breakpoints_added_;
    return;
  }
  RequestList& list = by_kind_[request->kind];
  list = with(list, request);
}

void RequestTable::remove(const Request& request) {
  RequestList old;  // its destructor may call the VM: not under the lock
  const std::scoped_lock lock(published_mutex_);
  if (request->kind == EventKind::kBreakpoint) {
    const auto found = by_location_.find(request->location);
    if (found != by_location_.end()) {
      old = std::exchange(found->second, without(found->second, request));
      if (!found->second) {
        by_location_.erase(found);
      }
    }
    return;
  }
  RequestList& list = by_kind_[request->kind];
  old = std::exchange(list, without(list, request));
}

template <class Predicate>
void RequestTable::take_down_all(Predicate concerns) {
  {
    const std::scoped_lock lock(mutex_);
    std::vector<Request> wanted;
    for (const auto& [id, request] : requests_) {
      if (concerns(*request)) {
        wanted.push_back(request);
      }
    }
    for (const Request& request : wanted) {
      take_down(request);
    }
  }
  agent_.breakpoints().clear_removed();
  agent_.probes().sweep();
}

void RequestTable::take_down(const Request& request) {
  request->active = false;
  requests_.erase(request->id);
  disarm(request);
  remove(request);
}

bool RequestTable::enable_breakpoint_events() {
  const std::scoped_lock lock(mutex_);
  return modes_.enable(JVMTI_EVENT_BREAKPOINT, nullptr).has_value();
}

void RequestTable::disable_breakpoint_events() {
  const std::scoped_lock lock(mutex_);
  modes_.disable(JVMTI_EVENT_BREAKPOINT, nullptr);
}

Result<void> RequestTable::clear(EventKind kind, std::int32_t id) {
  if (modes_of(kind) == nullptr && std::ranges::find(kNeverAsked, kind) == kNeverAsked.end()) {
    return fail(protocol::Error::kInvalidEventType);
  }
  {
    const std::scoped_lock lock(mutex_);
    const auto found = requests_.find(id);
    if (found != requests_.end() && found->second->kind == kind) {
      take_down(Request(found->second));
    }
  }
  agent_.breakpoints().clear_removed();
  agent_.probes().sweep();
  return {};
}

void RequestTable::retire(const Request& request) {
  {
    const std::scoped_lock lock(mutex_);
    if (requests_.contains(request->id)) {
      take_down(request);
    }
  }
  agent_.breakpoints().clear_removed();
}

void RequestTable::clear_all(EventKind kind) {
  take_down_all([kind](const EventRequest& request) { return request.kind == kind; });
}

void RequestTable::clear_all() {
  take_down_all([](const EventRequest& /*request*/) { return true; });
}

Request RequestTable::find(std::int32_t id) {
  const std::scoped_lock lock(mutex_);
  const auto found = requests_.find(id);
  return found == requests_.end() ? nullptr : found->second;
}

void RequestTable::drop_breakpoints_in(jclass type) {
  const jvm::Jni jni = agent_.jni();
  take_down_all([&](const EventRequest& request) {
    return request.kind == EventKind::kBreakpoint && jni.same(request.location_type->get(), type);
  });
}

// --- arming ----------------------------------------------------------------------------------

Result<void> RequestTable::arm(const Request& request) {
  switch (request->kind) {
    case EventKind::kBreakpoint:
      JVMDEBUG_CHECK(agent_.breakpoints().add(request->location));
      break;
    case EventKind::kFieldAccess:
    case EventKind::kFieldModification:
      JVMDEBUG_CHECK(arm_watch(*request));
      break;
    case EventKind::kSingleStep:
      // Its events first: the step may need one at once.
      JVMDEBUG_CHECK(set_modes(*request, true));
      if (const auto begun = agent_.stepper().begin(request->thread, request->step); !begun) {
        (void)set_modes(*request, false);
        return begun;
      }
      request->armed = true;
      return {};
    case EventKind::kException:
      if (watches_throws()) {
        // The events of its breakpoints are enabled first.
        JVMDEBUG_CHECK(set_modes(*request, true));
        if (const auto watched = agent_.throw_watch().update(); !watched) {
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
        // Classes that are prepared meanwhile are not missed.
        JVMDEBUG_CHECK(set_modes(*request, true));
        if (const auto done = agent_.method_exits().arm(request); !done) {
          (void)set_modes(*request, false);
          return done;
        }
        request->armed = true;
        return {};
      }
      break;
    case EventKind::kClassUnload:
      JVMDEBUG_CHECK(agent_.class_unloads().start());
      break;
    default:
      break;
  }
  JVMDEBUG_CHECK(set_modes(*request, true));
  request->armed = true;
  return {};
}

void RequestTable::disarm(const Request& request) {
  if (!std::exchange(request->armed, false) || agent_.vm_is_dead()) {
    return;
  }
  switch (request->kind) {
    case EventKind::kBreakpoint:
      agent_.probes().remove(request);
      agent_.breakpoints().remove(request->location);
      break;
    case EventKind::kFieldAccess:
    case EventKind::kFieldModification:
      disarm_watch(*request);
      break;
    case EventKind::kSingleStep:
      agent_.stepper().end(request->thread, request->step);
      break;
    case EventKind::kException:
      if (watches_throws()) {
        // With fewer to ask for, fails only when memory runs out; then more events are
        // enabled than needed.
        (void)agent_.throw_watch().update();
      }
      break;
    case EventKind::kMethodExit:
    case EventKind::kMethodExitWithReturnValue:
      agent_.method_exits().disarm(*request);
      break;
    default:
      break;
  }
  // Disabling an enabled event fails only for a thread that has ended.
  (void)set_modes(*request, false);
}

bool RequestTable::watches_throws() const {
  return !agent_.jvmti().has(jvm::Capability::kGenerateExceptionEvents);
}

bool RequestTable::watches_returns(EventKind kind) const {
  return (kind == EventKind::kMethodExit || kind == EventKind::kMethodExitWithReturnValue) &&
         !agent_.jvmti().has(jvm::Capability::kGenerateMethodExitEvents);
}

jvm::Result<void> RequestTable::set_modes(const EventRequest& request, bool on) {
  jvmtiEvent event = modes_of(request.kind)->event;
  threads::Tracked thread = request.thread;
  const bool step_by_breakpoints = request.kind == EventKind::kSingleStep &&
                                   !agent_.jvmti().has(jvm::Capability::kGenerateFramePopEvents);
  if (step_by_breakpoints || (request.kind == EventKind::kException && watches_throws())) {
    event = JVMTI_EVENT_BREAKPOINT;  // ReturnBreakpoints and ThrowWatch use them
    thread = nullptr;
  }
  if (watches_returns(request.kind)) {
    if (on) {
      JVMDEBUG_CHECK(modes_.enable(JVMTI_EVENT_CLASS_PREPARE, nullptr));
      if (const auto enabled = modes_.enable(JVMTI_EVENT_BREAKPOINT, nullptr); !enabled) {
        modes_.disable(JVMTI_EVENT_CLASS_PREPARE, nullptr);
        return enabled;
      }
      return {};
    }
    modes_.disable(JVMTI_EVENT_CLASS_PREPARE, nullptr);
    modes_.disable(JVMTI_EVENT_BREAKPOINT, nullptr);
    return {};
  }
  if (event == kVirtualThreadStart || event == kVirtualThreadEnd) {
    thread = nullptr;  // the VM does not offer them for one thread
    if (!agent_.jvmti().has(jvm::Capability::kSupportVirtualThreads) ||
        agent_.options().include_virtual_threads) {
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
  if (event == kVirtualThreadEnd) {
    agent_.threads().virtual_thread_ends().enable_again();
  }
  return {};
}

jvm::Result<void> RequestTable::set_watch(const EventRequest& request, bool on) {
  const jvm::Env& env = agent_.jvmti();
  const WatchedField& field = request.field;
  if (request.kind == EventKind::kFieldAccess) {
    return on ? env.set_field_access_watch(field.declaring(), field.field)
              : env.clear_field_access_watch(field.declaring(), field.field);
  }
  return on ? env.set_field_modification_watch(field.declaring(), field.field)
            : env.clear_field_modification_watch(field.declaring(), field.field);
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
    // Fails only for a class that is gone.
    (void)set_watch(request, false);
  }
}

bool RequestTable::shares_watch(const EventRequest& request) const {
  const jvm::Jni jni = agent_.jni();
  const auto all = of(request.kind);
  return all && std::ranges::any_of(*all, [&](const Request& other) {
           return other.get() != &request && other->field.field == request.field.field &&
                  jni.same(other->field.declaring(), request.field.declaring());
         });
}

}  // namespace jvmdebug::agent::events
