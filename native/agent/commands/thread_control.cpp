// SPDX-License-Identifier: Apache-2.0
//
// The commands of ThreadReference and StackFrame that change what a thread does.
#include <string>

#include "agent/agent.h"
#include "agent/commands/generated/handlers.h"
#include "agent/events/method_exits.h"
#include "agent/jvm/assignability.h"
#include "agent/threads/arguments.h"
#include "agent/threads/frame_popper.h"
#include "agent/threads/parking.h"
#include "agent/threads/suspension.h"
#include "agent/threads/thread_registry.h"

namespace jvmdebug::agent::commands {

namespace thread_reference {

namespace wire = protocol::thread_reference;

Result<void> suspend(Agent& agent, const wire::SuspendRequest& request) {
  JVMDEBUG_ASSIGN(const auto thread, agent.objects().thread(request.thread));
  return agent.suspension().suspend(thread);
}

Result<void> resume(Agent& agent, const wire::ResumeRequest& request) {
  JVMDEBUG_ASSIGN(const auto thread, agent.objects().thread(request.thread));
  return agent.suspension().resume(thread);
}

Result<wire::SuspendCountReply> suspend_count(Agent& agent,
                                              const wire::SuspendCountRequest& request) {
  JVMDEBUG_ASSIGN(const auto thread, agent.objects().thread(request.thread));
  JVMDEBUG_CHECK(agent.threads().check_visible(thread));
  return wire::SuspendCountReply{.suspend_count = agent.suspension().count_of(thread)};
}

Result<void> stop(Agent& agent, const wire::StopRequest& request) {
  JVMDEBUG_ASSIGN(const auto thread, agent.objects().thread(request.thread));
  JVMDEBUG_CHECK(agent.threads().check_visible(thread));
  if (request.throwable.is_null()) {
    return fail(protocol::Error::kNullPointer);
  }
  JVMDEBUG_ASSIGN(const auto throwable, agent.objects().throwable(request.throwable));
  return agent.parking().stop(thread, throwable);
}

Result<void> interrupt(Agent& agent, const wire::InterruptRequest& request) {
  JVMDEBUG_ASSIGN(const auto thread, agent.objects().thread(request.thread));
  JVMDEBUG_CHECK(agent.threads().check_visible(thread));
  return agent.parking().interrupt(thread);
}

namespace {

// Calls the JVM TI function for the kind of result. The value has the method's return type.
jvm::Result<void> return_now(const jvm::Env& env, jthread thread, const protocol::Value& value,
                             jobject object) {
  switch (value.tag) {
    case protocol::Tag::kVoid:
      return env.force_early_return_void(thread);
    case protocol::Tag::kBoolean:
      return env.force_early_return_int(thread, value.as_boolean() ? 1 : 0);
    case protocol::Tag::kByte:
      return env.force_early_return_int(thread, value.as_byte());
    case protocol::Tag::kChar:
      return env.force_early_return_int(thread, value.as_char());
    case protocol::Tag::kShort:
      return env.force_early_return_int(thread, value.as_short());
    case protocol::Tag::kInt:
      return env.force_early_return_int(thread, value.as_int());
    case protocol::Tag::kLong:
      return env.force_early_return_long(thread, value.as_long());
    case protocol::Tag::kFloat:
      return env.force_early_return_float(thread, value.as_float());
    case protocol::Tag::kDouble:
      return env.force_early_return_double(thread, value.as_double());
    default:
      return env.force_early_return_object(thread, object);
  }
}

// Lets the thread report the exit itself where the VM reports none, if the thread is in an event.
void report_exit(Agent& agent, const jvmdebug::agent::threads::Tracked& thread,
                 const jvm::JavaValue& value) {
  if (agent.jvmti().has(jvm::Capability::kGenerateMethodExitEvents) || thread->waits_in_java ||
      !agent.parking().is_parked(thread)) {
    return;
  }
  if (const auto top = agent.frame_popper().top_frame(thread->thread)) {
    agent.method_exits().forced().add(thread, *top, value);
  }
}

// Returns TYPE_MISMATCH, unless no return can be forced here at all: that error has precedence, and
// only the VM can tell. So the VM is called with a value that certainly has another type.
Result<void> wrong_type(const jvm::Env& env, jthread thread, bool wants_object) {
  JVMDEBUG_CHECK(wants_object ? env.force_early_return_int(thread, 0)
                              : env.force_early_return_object(thread, nullptr));
  return fail(protocol::Error::kTypeMismatch);
}

}  // namespace

Result<void> force_early_return(Agent& agent, const wire::ForceEarlyReturnRequest& request) {
  const jvm::Env& env = agent.jvmti();
  JVMDEBUG_ASSIGN(const auto thread, agent.objects().thread(request.thread));
  JVMDEBUG_ASSIGN(const jint state, env.get_thread_state(thread));
  if ((state & JVMTI_THREAD_STATE_ALIVE) == 0) {
    return fail(protocol::Error::kInvalidThread);
  }
  JVMDEBUG_CHECK(agent.suspension().check_suspended(thread));
  const auto tracked = agent.threads().track(thread);
  JVMDEBUG_CHECK(agent.frame_popper().check_may_pop(tracked));
  JVMDEBUG_ASSIGN(const auto location, env.get_frame_location(thread, 0));
  if (location.index < 0) {
    return fail(protocol::Error::kOpaqueFrame);
  }
  JVMDEBUG_ASSIGN(const auto names, env.get_method_name(location.method));
  const auto type = jvmdebug::agent::threads::parse_descriptor(names.signature.view()).return_type;
  const bool wants_object = type.starts_with('L') || type.starts_with('[');
  if (wants_object != protocol::is_object(request.value.tag) ||
      (!wants_object && static_cast<char>(request.value.tag) != type.front())) {
    return wrong_type(env, thread, wants_object);
  }
  jvm::LocalRef<jobject> object;
  if (wants_object) {
    JVMDEBUG_ASSIGN(object, agent.objects().object_or_null(request.value.as_object()));
    const jvm::Jni jni = agent.jni();
    JVMDEBUG_ASSIGN(auto* const declaring, env.get_method_declaring_class(location.method));
    if (!jvm::assignable(env, jni, object, type, jni.adopt(declaring))) {
      return fail(protocol::Error::kTypeMismatch);
    }
  }
  JVMDEBUG_CHECK(return_now(env, thread, request.value, object));
  agent.frame_popper().return_forced(tracked);
  report_exit(
      agent, tracked,
      {.type = type.front(), .value = jvmdebug::agent::threads::java_value(request.value, object)});
  return {};
}

}  // namespace thread_reference

namespace stack_frame {

namespace wire = protocol::stack_frame;

Result<void> pop_frames(Agent& agent, const wire::PopFramesRequest& request) {
  JVMDEBUG_ASSIGN(const auto thread, agent.objects().thread(request.thread));
  JVMDEBUG_CHECK(agent.suspension().check_suspended(thread));
  JVMDEBUG_ASSIGN(const auto depth, agent.frame_ids().depth(thread, request.frame));
  return agent.frame_popper().pop(thread, depth);
}

}  // namespace stack_frame

}  // namespace jvmdebug::agent::commands
