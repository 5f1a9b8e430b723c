// SPDX-License-Identifier: Apache-2.0
#include "agent/events/callbacks.h"

#include <array>
#include <cstddef>
#include <cstdio>
#include <cstring>

#include "agent/agent.h"
#include "agent/code/code_versions.h"
#include "agent/events/breakpoints.h"
#include "agent/events/callback_guard.h"
#include "agent/events/checks.h"
#include "agent/events/composer.h"
#include "agent/events/method_exits.h"
#include "agent/events/sender.h"
#include "agent/events/throw_source.h"
#include "agent/jvm/newer_events.h"
#include "agent/scope.h"
#include "agent/start_up.h"
#include "agent/threads/data_dump.h"
#include "agent/threads/program_resumes.h"
#include "agent/threads/thread_registry.h"

namespace jvmdebug::agent::events {
namespace {

using protocol::EventKind;

// The common part of all callbacks. `body` gets the agent and the JNI environment of the thread.
template <class Body>
void handle(jvmtiEnv* raw, JNIEnv* env, Body body) noexcept {
  if (OperandReader::is_reading()) {
    return;  // caused by the agent itself
  }
  const CallbackPresence present;
  if (Agent* const agent = Agent::of(raw); agent != nullptr) {
    guard_callback(*agent, env, [&](const jvm::Jni& jni) {
      body(*agent, jni);
      if (agent->start_up().has_begun()) {
        agent->method_exits().forced().event_left(jni);
      }
    });
  }
}

// Translates the VM's location into the one that the debugger sees. False if the debugger does not
// see what happens there.
bool show(Agent& agent, Occurrence& occurrence) {
  const auto view =
      occurrence.method == nullptr ? nullptr : agent.jvmti().code_view(occurrence.method);
  if (!view) {
    return true;
  }
  if (view->is_hidden || view->is_quiet || view->is_added(occurrence.index) ||
      agent.checks().is_in_check(view->shown)) {
    return false;
  }
  occurrence.index = view->shown_index(occurrence.index);
  occurrence.in_old_frame = view->shown != occurrence.method;
  occurrence.probes_there = view->probes_at(occurrence.index);
  occurrence.method = view->shown;
  return true;
}

void take(jvmtiEnv* raw, JNIEnv* env, Occurrence occurrence) {
  handle(raw, env, [&](Agent& agent, const jvm::Jni& jni) {
    if (show(agent, occurrence)) {
      agent.composer().take(jni, occurrence);
    }
  });
}

// Makes an occurrence at the topmost frame of the current thread, for events that have no location.
Occurrence here(const Agent& agent, EventKind kind, jthread thread) {
  Occurrence occurrence{.kind = kind, .thread = thread};
  // Without frames (a native thread in a monitor) the location stays unknown.
  if (const auto location = agent.jvmti().get_frame_location(nullptr, 0)) {
    occurrence.method = location->method;
    occurrence.index = location->index;
  }
  return occurrence;
}

void JNICALL vm_init(jvmtiEnv* raw, JNIEnv* env, jthread thread) {
  handle(raw, env,
         [&](Agent& agent, const jvm::Jni& jni) { agent.start_up().vm_initialised(jni, thread); });
}

void JNICALL vm_death(jvmtiEnv* raw, JNIEnv* env) {
  const CallbackPresence present;
  if (Agent* const agent = Agent::of(raw); agent != nullptr) {
    jvm::contain_exceptions("threads may stay suspended", [agent] { agent->vm_begins_to_die(); });
    guard_callback(*agent, env, [agent](const jvm::Jni& jni) { agent->vm_dying(jni); });
  }
}

// The event is enabled if the option datadump is.
void JNICALL data_dump_requested(jvmtiEnv* raw) {
  const CallbackPresence present;
  if (Agent* const agent = Agent::of(raw); agent != nullptr) {
    guard_callback(*agent, agent->jvmti().jni().raw(), [agent](const jvm::Jni& /*jni*/) {
      std::fputs(threads::data_dump(agent->jvmti(), agent->threads(), agent->suspension()).c_str(),
                 stdout);
      std::fflush(stdout);
    });
  }
}

void JNICALL thread_start(jvmtiEnv* raw, JNIEnv* env, jthread thread) {
  handle(raw, env,
         [&](Agent& agent, const jvm::Jni& jni) { agent.composer().thread_started(jni, thread); });
}

void JNICALL thread_end(jvmtiEnv* raw, JNIEnv* env, jthread thread) {
  handle(raw, env,
         [&](Agent& agent, const jvm::Jni& jni) { agent.composer().thread_ended(jni, thread); });
}

void JNICALL class_prepare(jvmtiEnv* raw, JNIEnv* env, jthread thread, jclass type) {
  handle(raw, env, [&](Agent& agent, const jvm::Jni& jni) {
    if (agent.start_up().has_begun()) {
      agent.method_exits().class_prepared(jni, type);
    }
    if (!agent.start_up().has_begun() || !agent.code_versions().hides(type)) {
      agent.composer().take(jni,
                            {.kind = EventKind::kClassPrepare, .thread = thread, .type = type});
    }
  });
}

void breakpoint_reached(Agent& agent, const jvm::Jni& jni, const Occurrence& occurrence) {
  const CodeLocation location{.method = occurrence.method, .index = occurrence.index};
  const BreakpointEventScope in_event(agent.breakpoints(), location);
  if (!in_event.is_in_use()) {
    return;
  }
  const auto self = agent.threads().current();
  agent.checks().reported_by_vm(self);
  if (self) {
    self->is_in_breakpoint_event = true;
    ++self->arrivals;
  }
  const AtExit leave([&] {
    if (self) {
      self->is_in_breakpoint_event = false;
    }
  });
  agent.program_resumes().at_breakpoint(jni, location);
  agent.method_exits().arrived(jni, occurrence);
  agent.composer().take(jni, occurrence);
  agent.throw_source().at_breakpoint(jni, occurrence);
  agent.method_exits().at_breakpoint(jni, occurrence);
}

void JNICALL breakpoint(jvmtiEnv* raw, JNIEnv* env, jthread thread, jmethodID method,
                        jlocation index) {
  Occurrence occurrence{
      .kind = EventKind::kBreakpoint, .thread = thread, .method = method, .index = index};
  handle(raw, env, [&](Agent& agent, const jvm::Jni& jni) {
    if (show(agent, occurrence)) {
      breakpoint_reached(agent, jni, occurrence);
    }
  });
}

void JNICALL single_step(jvmtiEnv* raw, JNIEnv* env, jthread thread, jmethodID method,
                         jlocation index) {
  Occurrence occurrence{
      .kind = EventKind::kSingleStep, .thread = thread, .method = method, .index = index};
  handle(raw, env, [&](Agent& agent, const jvm::Jni& jni) {
    if (show(agent, occurrence)) {
      agent.method_exits().arrived(jni, occurrence);
      agent.composer().take(jni, occurrence);
      agent.checks().stepped(jni, occurrence);
      // The VM has no breakpoints in old versions.
      if (agent.checks().watches_old_frames(occurrence.in_old_frame)) {
        occurrence.kind = EventKind::kBreakpoint;
        breakpoint_reached(agent, jni, occurrence);
      }
    }
  });
}

void JNICALL frame_pop(jvmtiEnv* raw, JNIEnv* env, jthread thread, jmethodID /*method*/,
                       jboolean by_exception) {
  if (by_exception != JNI_FALSE) {
    // The step continues where the exception is caught. If single steps were enabled before, it
    // would end at the first instruction of the handler, one earlier than in the JDK's own agent.
    return;
  }
  handle(raw, env,
         [&](Agent& agent, const jvm::Jni& jni) { agent.composer().frame_popped(jni, thread); });
}

void JNICALL exception(jvmtiEnv* raw, JNIEnv* env, jthread thread, jmethodID method,
                       jlocation index, jobject thrown, jmethodID catch_method,
                       jlocation catch_index) {
  Occurrence occurrence{.kind = EventKind::kException,
                        .thread = thread,
                        .method = method,
                        .index = index,
                        .object = thrown,
                        .catch_method = catch_method,
                        .catch_index = catch_index};
  handle(raw, env, [&](Agent& agent, const jvm::Jni& jni) {
    if (!show(agent, occurrence)) {
      return;
    }
    if (const auto view =
            catch_method == nullptr ? nullptr : agent.jvmti().code_view(catch_method)) {
      occurrence.catch_index = view->shown_index(catch_index);
      occurrence.catch_method = view->shown;
    }
    if (agent.start_up().has_begun()) {
      agent.composer().take(jni, occurrence);
    } else {
      agent.start_up().exception_thrown(jni, occurrence);
    }
  });
}

void JNICALL exception_catch(jvmtiEnv* raw, JNIEnv* env, jthread thread, jmethodID /*method*/,
                             jlocation /*index*/, jobject /*exception*/) {
  handle(raw, env, [&](Agent& agent, const jvm::Jni& jni) {
    agent.composer().exception_caught(jni, thread);
  });
}

void JNICALL method_entry(jvmtiEnv* raw, JNIEnv* env, jthread thread, jmethodID method) {
  handle(raw, env, [&](Agent& agent, const jvm::Jni& jni) {
    if (!agent.method_exits().follows_any() && agent.composer().may_skip_entry(method)) {
      return;
    }
    // A native method has no location, which is -1 on the wire.
    const auto view = agent.jvmti().code_view(method);
    if (view && (view->is_hidden || view->is_quiet || agent.checks().is_in_check())) {
      return;
    }
    agent.method_exits().entered(jni, thread, view ? view->shown : method);
    const auto extent = agent.jvmti().get_method_location(view ? view->shown : method);
    agent.composer().take(jni, {.kind = EventKind::kMethodEntry,
                                .thread = thread,
                                .method = view ? view->shown : method,
                                .index = extent ? extent->first : -1});
  });
}

void JNICALL method_exit(jvmtiEnv* raw, JNIEnv* env, jthread thread, jmethodID method,
                         jboolean by_exception, jvalue value) {
  if (by_exception != JNI_FALSE) {
    return;  // the specification reports normal returns only
  }
  handle(raw, env, [&](Agent& agent, const jvm::Jni& jni) {
    const auto view = agent.jvmti().code_view(method);
    jmethodID const shown = view ? view->shown : method;  // the one that requests name
    if (agent.composer().may_skip_exit(jni, thread, shown) ||
        (view && (view->is_hidden || view->is_quiet))) {
      return;
    }
    Occurrence occurrence = here(agent, EventKind::kMethodExit, thread);
    occurrence.method = shown;
    occurrence.value = {.type = return_letter(agent.jvmti(), method), .value = value};
    agent.composer().take(jni, occurrence);
  });
}

void JNICALL field_access(jvmtiEnv* raw, JNIEnv* env, jthread thread, jmethodID method,
                          jlocation index, jclass type, jobject object, jfieldID field) {
  take(raw, env,
       {.kind = EventKind::kFieldAccess,
        .thread = thread,
        .method = method,
        .index = index,
        .object = object,
        .field_type = type,
        .field = field});
}

void JNICALL field_modification(jvmtiEnv* raw, JNIEnv* env, jthread thread, jmethodID method,
                                jlocation index, jclass type, jobject object, jfieldID field,
                                char letter, jvalue value) {
  take(raw, env,
       {.kind = EventKind::kFieldModification,
        .thread = thread,
        .method = method,
        .index = index,
        .object = object,
        .field_type = type,
        .field = field,
        .value = {.type = letter, .value = value}});
}

void monitor(jvmtiEnv* raw, JNIEnv* env, EventKind kind, jthread thread, jobject object,
             jlong timeout_ms, bool timed_out) {
  handle(raw, env, [&](Agent& agent, const jvm::Jni& jni) {
    Occurrence occurrence = here(agent, kind, thread);
    occurrence.object = object;
    occurrence.timeout_ms = timeout_ms;
    occurrence.timed_out = timed_out;
    if (kind == EventKind::kMonitorWait || kind == EventKind::kMonitorWaited) {
      // Class filters of these two apply to the monitor's class, as JDI documents.
      occurrence.type = jni->GetObjectClass(object);
    }
    agent.composer().take(jni, occurrence);
  });
}

void JNICALL monitor_contended_enter(jvmtiEnv* raw, JNIEnv* env, jthread thread, jobject object) {
  monitor(raw, env, EventKind::kMonitorContendedEnter, thread, object, 0, false);
}

void JNICALL monitor_contended_entered(jvmtiEnv* raw, JNIEnv* env, jthread thread, jobject object) {
  monitor(raw, env, EventKind::kMonitorContendedEntered, thread, object, 0, false);
}

void JNICALL monitor_wait(jvmtiEnv* raw, JNIEnv* env, jthread thread, jobject object,
                          jlong timeout_ms) {
  monitor(raw, env, EventKind::kMonitorWait, thread, object, timeout_ms, false);
}

void JNICALL monitor_waited(jvmtiEnv* raw, JNIEnv* env, jthread thread, jobject object,
                            jboolean timed_out) {
  monitor(raw, env, EventKind::kMonitorWaited, thread, object, 0, timed_out != JNI_FALSE);
}

// Called where the VM frees objects: without JNI, see guard_callback().
void JNICALL object_freed(jvmtiEnv* raw, jlong tag) {
  const CallbackPresence present;
  Agent* const agent = Agent::of(raw);
  if (agent == nullptr) {
    return;
  }
  guard_callback(*agent, [agent, tag] {
    if (agent->objects().died(tag)) {
      agent->sender().run_soon([agent] { agent->objects().forget_dead(); }, false);
    }
  });
}

// jvmtiEventCallbacks of JDK 21 and newer has more members than the header of 17 declares. The
// index of a member is the event's number minus that of the first event.
constexpr std::size_t kSlots = jvm::kVirtualThreadEnd - JVMTI_MIN_EVENT_TYPE_VAL + 1;

using CallbackTable = std::array<const void*, kSlots>;

void put(CallbackTable& table, jvmtiEvent event, jvmtiEventThreadStart callback) {
  table.at(static_cast<std::size_t>(event) - JVMTI_MIN_EVENT_TYPE_VAL) =
      reinterpret_cast<const void*>(callback);
}

jvmtiEventCallbacks callbacks() {
  jvmtiEventCallbacks all{};
  all.VMInit = vm_init;
  all.VMDeath = vm_death;
  all.ThreadStart = thread_start;
  all.ThreadEnd = thread_end;
  all.ClassPrepare = class_prepare;
  all.Breakpoint = breakpoint;
  all.SingleStep = single_step;
  all.FramePop = frame_pop;
  all.Exception = exception;
  all.ExceptionCatch = exception_catch;
  all.MethodEntry = method_entry;
  all.MethodExit = method_exit;
  all.FieldAccess = field_access;
  all.FieldModification = field_modification;
  all.MonitorContendedEnter = monitor_contended_enter;
  all.MonitorContendedEntered = monitor_contended_entered;
  all.MonitorWait = monitor_wait;
  all.MonitorWaited = monitor_waited;
  all.ObjectFree = object_freed;
  all.DataDumpRequest = data_dump_requested;
  return all;
}

jvm::Result<void> enable(const jvm::Env& env, jvmtiEvent event) {
  return env.set_event_notification_mode(JVMTI_ENABLE, event);
}

}  // namespace

jvm::Result<void> install_callbacks(const jvm::Env& env) {
  const jvmtiEventCallbacks known = callbacks();
  CallbackTable table{};
  static_assert(sizeof known <= sizeof table);
  std::memcpy(table.data(), &known, sizeof known);
  put(table, jvm::kVirtualThreadStart, thread_start);
  put(table, jvm::kVirtualThreadEnd, thread_end);
  // An older VM copies only the members that it knows.
  JVMDEBUG_CHECK(env.set_event_callbacks(
      *reinterpret_cast<const jvmtiEventCallbacks*>(table.data()), sizeof table));
  JVMDEBUG_CHECK(enable(env, JVMTI_EVENT_VM_INIT));
  return enable(env, JVMTI_EVENT_VM_DEATH);
}

void silence(const jvm::Env& env) {
  for (int event = JVMTI_MIN_EVENT_TYPE_VAL; event <= jvm::kVirtualThreadEnd; ++event) {
    // Refused for numbers that are not events, and for events without a capability.
    (void)env.set_event_notification_mode(JVMTI_DISABLE, static_cast<jvmtiEvent>(event));
  }
}

jvm::Result<void> watch_data_dumps(const jvm::Env& env) {
  return enable(env, JVMTI_EVENT_DATA_DUMP_REQUEST);
}

jvm::Result<void> watch_exceptions(const jvm::Env& env, bool on) {
  return env.set_event_notification_mode(on ? JVMTI_ENABLE : JVMTI_DISABLE, JVMTI_EVENT_EXCEPTION);
}

jvm::Result<void> watch_threads(const jvm::Env& env, bool every_virtual_thread) {
  JVMDEBUG_CHECK(enable(env, JVMTI_EVENT_THREAD_START));
  JVMDEBUG_CHECK(enable(env, JVMTI_EVENT_THREAD_END));
  if (!every_virtual_thread || !env.has(jvm::Capability::kSupportVirtualThreads)) {
    return {};  // VirtualThreadEnds enables the end events of tracked threads
  }
  JVMDEBUG_CHECK(enable(env, jvm::kVirtualThreadStart));
  return enable(env, jvm::kVirtualThreadEnd);
}

}  // namespace jvmdebug::agent::events
