// SPDX-License-Identifier: Apache-2.0
#include "agent/events/wire_events.h"

#include <bit>

#include "agent/ids/field_ids.h"
#include "agent/ids/locations.h"
#include "agent/ids/wire_value.h"

namespace jvmdebug::agent::events {
namespace {

using protocol::EventKind;

jvm::GlobalRef<jclass> declaring_type(const jvm::Env& env, const jvm::Jni& jni, jmethodID method) {
  if (method == nullptr) {
    return {};
  }
  const auto type = env.get_method_declaring_class(method);
  return type ? jni.global(jni.adopt(*type).get()) : jvm::GlobalRef<jclass>{};
}

// The parts that most events have: request, thread, and a location or an object.
struct Parts {
  const WireIds& known;
  const PendingEvent& event;
  const RetainedOccurrence& what;

  [[nodiscard]] protocol::ThreadId thread() const { return known.objects.thread_id(what.thread); }

  [[nodiscard]] protocol::TaggedObject object() const {
    return known.objects.tagged_id(what.object);
  }

  [[nodiscard]] Result<protocol::Location> location(jmethodID method, jlocation index) const {
    return ids::location(known.env, known.objects, known.methods, method, index);
  }

  [[nodiscard]] protocol::Value value() const {
    return ids::wire_value(known.objects, what.value, what.value_object);
  }
};

template <class Event>
std::optional<protocol::Event> located(const Parts& parts) {
  const auto location = parts.location(parts.what.method, parts.what.index);
  if (!location) {
    return std::nullopt;
  }
  Event event;
  event.request_id = parts.event.request_id;
  event.thread = parts.thread();
  event.location = *location;
  if constexpr (requires { event.object; }) {
    event.object = parts.object();
  }
  if constexpr (requires { event.value; }) {
    event.value = parts.value();
  }
  if constexpr (requires { event.timeout; }) {
    event.timeout = parts.what.timeout_ms;
  }
  if constexpr (requires { event.timed_out; }) {
    event.timed_out = parts.what.timed_out;
  }
  if constexpr (requires { event.new_value; }) {
    event.new_value = parts.value();
  }
  if constexpr (requires { event.field_id; }) {
    event.type_tag = ids::type_tag(parts.known.env, parts.what.field_type);
    event.type_id = parts.known.objects.type_id(parts.what.field_type);
    event.field_id = ids::FieldIds::id(parts.what.field);
  }
  if constexpr (requires { event.catch_location; }) {
    event.exception = parts.object();
    const auto caught = parts.location(parts.what.catch_method, parts.what.catch_index);
    if (!caught) {
      return std::nullopt;
    }
    event.catch_location = *caught;
  }
  return event;
}

template <class Event>
std::optional<protocol::Event> of_thread(const Parts& parts) {
  Event event;
  event.request_id = parts.event.request_id;
  event.thread = parts.thread();
  return event;
}

std::optional<protocol::Event> class_prepare(const Parts& parts) {
  const WireIds& known = parts.known;
  const auto names = known.env.get_class_signature(parts.what.type);
  const auto status = known.env.get_class_status(parts.what.type);
  if (!names || !status) {
    return std::nullopt;
  }
  protocol::ClassPrepareEvent event;
  event.request_id = parts.event.request_id;
  event.thread = parts.thread();
  event.type_tag = ids::type_tag(known.env, parts.what.type);
  event.type_id = known.objects.type_id(parts.what.type);
  event.signature = jvm::utf8_from_modified(names->signature.view());
  event.status = static_cast<protocol::ClassStatus>(*status);
  return event;
}

std::optional<protocol::Event> class_unload(const Parts& parts) {
  protocol::ClassUnloadEvent event;
  event.request_id = parts.event.request_id;
  event.signature = jvm::utf8_from_modified(parts.what.signature);
  return event;
}

std::optional<protocol::Event> vm_death(const Parts& parts) {
  protocol::VmDeathEvent event;
  event.request_id = parts.event.request_id;
  return event;
}

}  // namespace

std::shared_ptr<const RetainedOccurrence> retain(const jvm::Env& env, const jvm::Jni& jni,
                                                 const Occurrence& occurrence) {
  auto retained = std::make_shared<RetainedOccurrence>();
  retained->kind = occurrence.kind;
  retained->thread = jni.global(occurrence.thread);
  retained->method = occurrence.method;
  retained->location_type = declaring_type(env, jni, occurrence.method);
  retained->index = occurrence.index;
  retained->type = jni.global(occurrence.type);
  retained->object = jni.global(occurrence.object);
  retained->catch_method = occurrence.catch_method;
  retained->catch_type = declaring_type(env, jni, occurrence.catch_method);
  retained->catch_index = occurrence.catch_index;
  retained->field_type = jni.global(occurrence.field_type);
  retained->field = occurrence.field;
  retained->value = occurrence.value;
  if (occurrence.value.is_reference()) {
    retained->value_object = jni.global(occurrence.value.value.l);
  }
  retained->timeout_ms = occurrence.timeout_ms;
  retained->timed_out = occurrence.timed_out;
  retained->signature = occurrence.signature;
  return retained;
}

std::optional<protocol::Event> wire_event(const WireIds& known, const PendingEvent& event) {
  const Parts parts{.known = known, .event = event, .what = *event.what};
  switch (event.kind) {
    case EventKind::kVmStart:
      return of_thread<protocol::VmStartEvent>(parts);
    case EventKind::kVmDeath:
      return vm_death(parts);
    case EventKind::kNearFrameExhausted:
      return of_thread<protocol::NearFrameExhaustedEvent>(parts);
    case EventKind::kThreadStart:
      return of_thread<protocol::ThreadStartEvent>(parts);
    case EventKind::kThreadDeath:
      return of_thread<protocol::ThreadDeathEvent>(parts);
    case EventKind::kClassPrepare:
      return class_prepare(parts);
    case EventKind::kClassUnload:
      return class_unload(parts);
    case EventKind::kSingleStep:
      return located<protocol::SingleStepEvent>(parts);
    case EventKind::kBreakpoint:
      return located<protocol::BreakpointEvent>(parts);
    case EventKind::kException:
      return located<protocol::ExceptionEvent>(parts);
    case EventKind::kFieldAccess:
      return located<protocol::FieldAccessEvent>(parts);
    case EventKind::kFieldModification:
      return located<protocol::FieldModificationEvent>(parts);
    case EventKind::kMethodEntry:
      return located<protocol::MethodEntryEvent>(parts);
    case EventKind::kMethodExit:
      return located<protocol::MethodExitEvent>(parts);
    case EventKind::kMethodExitWithReturnValue:
      return located<protocol::MethodExitWithReturnValueEvent>(parts);
    case EventKind::kMonitorContendedEnter:
      return located<protocol::MonitorContendedEnterEvent>(parts);
    case EventKind::kMonitorContendedEntered:
      return located<protocol::MonitorContendedEnteredEvent>(parts);
    case EventKind::kMonitorWait:
      return located<protocol::MonitorWaitEvent>(parts);
    case EventKind::kMonitorWaited:
      return located<protocol::MonitorWaitedEvent>(parts);
    default:
      return std::nullopt;
  }
}

}  // namespace jvmdebug::agent::events
