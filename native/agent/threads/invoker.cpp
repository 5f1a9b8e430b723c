// SPDX-License-Identifier: Apache-2.0
#include "agent/threads/invoker.h"

#include <utility>

#include "agent/ids/wire_value.h"
#include "agent/jvm/monitor.h"
#include "agent/scope.h"
#include "agent/threads/frame_popper.h"
#include "agent/threads/parking.h"
#include "agent/threads/stepper.h"
#include "agent/threads/suspension.h"

namespace jvmdebug::agent::threads {
namespace {

using Kind = Invocation::Kind;

// One family of JNI functions for each kind of invocation.
template <class Call>
jvalue call_by_type(char type, Call call) {
  jvalue result{};
  switch (type) {
    case 'Z':
      result.z = call.template operator()<jboolean>();
      break;
    case 'B':
      result.b = call.template operator()<jbyte>();
      break;
    case 'C':
      result.c = call.template operator()<jchar>();
      break;
    case 'S':
      result.s = call.template operator()<jshort>();
      break;
    case 'I':
      result.i = call.template operator()<jint>();
      break;
    case 'J':
      result.j = call.template operator()<jlong>();
      break;
    case 'F':
      result.f = call.template operator()<jfloat>();
      break;
    case 'D':
      result.d = call.template operator()<jdouble>();
      break;
    case 'V':
      call.template operator()<void>();
      break;
    default:
      result.l = call.template operator()<jobject>();
      break;
  }
  return result;
}

template <class T>
struct JniCalls;

#define JVMDEBUG_JNI_CALLS(RESULT, NAME)                                                    \
  template <>                                                                               \
  struct JniCalls<RESULT> {                                                                 \
    static RESULT of_static(JNIEnv* env, const Invocation& what) {                          \
      return env->CallStatic##NAME##MethodA(what.type, what.method, what.arguments.data()); \
    }                                                                                       \
    static RESULT of_virtual(JNIEnv* env, const Invocation& what) {                         \
      return env->Call##NAME##MethodA(what.instance, what.method, what.arguments.data());   \
    }                                                                                       \
    static RESULT of_nonvirtual(JNIEnv* env, const Invocation& what) {                      \
      return env->CallNonvirtual##NAME##MethodA(what.instance, what.type, what.method,      \
                                                what.arguments.data());                     \
    }                                                                                       \
  }

JVMDEBUG_JNI_CALLS(jboolean, Boolean);
JVMDEBUG_JNI_CALLS(jbyte, Byte);
JVMDEBUG_JNI_CALLS(jchar, Char);
JVMDEBUG_JNI_CALLS(jshort, Short);
JVMDEBUG_JNI_CALLS(jint, Int);
JVMDEBUG_JNI_CALLS(jlong, Long);
JVMDEBUG_JNI_CALLS(jfloat, Float);
JVMDEBUG_JNI_CALLS(jdouble, Double);
JVMDEBUG_JNI_CALLS(jobject, Object);
JVMDEBUG_JNI_CALLS(void, Void);
#undef JVMDEBUG_JNI_CALLS

jvalue call(const jvm::Jni& jni, const Invocation& what) {
  if (what.kind == Kind::kStatic) {
    // Looking the method up initialises the class, which a call by jmethodID does not.
    (void)jni->GetStaticMethodID(what.type, what.name.c_str(), what.descriptor.c_str());
    if (jni->ExceptionCheck() != JNI_FALSE) {
      return {};
    }
  }
  if (what.kind == Kind::kNew) {
    return {.l = jni->NewObjectA(what.type, what.method, what.arguments.data())};
  }
  return call_by_type(what.return_type, [&]<class T> -> T {
    switch (what.kind) {
      case Kind::kStatic:
        return JniCalls<T>::of_static(jni.raw(), what);
      case Kind::kNonvirtual:
        return JniCalls<T>::of_nonvirtual(jni.raw(), what);
      default:
        return JniCalls<T>::of_virtual(jni.raw(), what);
    }
  });
}

}  // namespace

void Invoker::request(jthread thread, const std::shared_ptr<Invocation>& invocation) {
  if (invocation->single_threaded) {
    uses_.objects.retain_known();  // the others stay suspended, so the stop goes on
  }
  const auto tracked = uses_.registry.find(thread);
  if (!tracked) {
    invocation->reply.fail(protocol::Error::kInvalidThread);
    return;
  }
  const auto top = uses_.frame_popper.top_frame(thread);
  const auto called =
      top ? uses_.parking.call(tracked, *top, invocation) : fail(protocol::Error::kInvalidThread);
  if (!called) {
    invocation->reply.fail(called.error());
    return;
  }
  // Fails only when a thread has ended meanwhile.
  if (invocation->single_threaded) {
    (void)uses_.suspension.resume(thread);
  } else {
    (void)uses_.suspension.resume_all();
  }
}

void Invoker::run(const jvm::Jni& jni, const Tracked& self, Invocation& invocation) {
  const auto step = uses_.stepper.pause(self);
  const AtExit resume_step([&] { uses_.stepper.resume(self, step); });
  const auto scope = uses_.scopes.begin(jni, self);
  const jvm::LocalFrame frame(jni);
  const jvalue result = call(jni, invocation);
  if (const auto exception = jni.take_exception()) {
    invocation.exception = jni.global<jobject>(exception.get());
    invocation.result = {.type = invocation.return_type};  // 0 or null, of that type
  } else {
    invocation.result = {.type = invocation.return_type, .value = result};
    if (invocation.result.is_reference()) {
      invocation.result_object = jni.global(result.l);
    }
  }
}

void Invoker::report_result(const Tracked& self, std::shared_ptr<Invocation> invocation) {
  // Dropped when the debugger has disconnected; the thread then continues.
  (void)uses_.reporter.run_in_order(
      [this, self, invocation = std::move(invocation)] { complete(self, *invocation); });
}

bool Invoker::clear_interrupt() const {
  const auto state = uses_.env.get_thread_state(nullptr);
  if (!state || (*state & JVMTI_THREAD_STATE_INTERRUPTED) == 0) {
    return false;
  }
  // JVM TI has no function for this. Waiting on a monitor clears the status at once, without
  // running code of the program.
  const auto monitor = jvm::Monitor::create(uses_.env, "jvmdebug interrupt", Rank::kInterrupt);
  return monitor && jvm::Lock(*monitor).wait(1) == jvm::WaitOutcome::kInterrupted;
}

void Invoker::complete(const Tracked& thread, Invocation& invocation) {
  if (!uses_.reporter.is_connected_to(invocation.reply.connection())) {
    return;  // another debugger has connected since
  }
  if (invocation.single_threaded) {
    (void)uses_.suspension.suspend_for_event(thread);
  } else {
    // Threads that cannot be suspended are left out one by one.
    (void)uses_.suspension.suspend_all();
  }
  uses_.parking.was_reported(thread);
  const auto value = ids::wire_value(uses_.objects, invocation.result, invocation.result_object);
  const auto exception = uses_.objects.tagged_id(invocation.exception);
  invocation.answer(value, exception, std::move(invocation.reply));
  // Done here because the event thread is suspended again and cannot do it.
  invocation.release_references();
}

}  // namespace jvmdebug::agent::threads
