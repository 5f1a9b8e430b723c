// SPDX-License-Identifier: Apache-2.0
//
// The four commands that run code of the debuggee: InvokeMethod of ClassType, InterfaceType and
// ObjectReference, and ClassType.NewInstance. They check the requests;
// jvmdebug::agent::threads::Invoker runs the method.
#include <memory>
#include <span>
#include <string>
#include <utility>

#include "agent/agent.h"
#include "agent/commands/generated/handlers.h"
#include "agent/reply_to.h"
#include "agent/threads/arguments.h"
#include "agent/threads/invoker.h"

namespace jvmdebug::agent::commands {
namespace {

using jvmdebug::agent::threads::Invocation;
using Kind = Invocation::Kind;

constexpr jint kStaticModifier = 0x0008;
constexpr jint kAbstractModifier = 0x0400;

// The parts that the four requests have in common.
struct Wanted {
  protocol::ThreadId thread;
  protocol::ReferenceTypeId type;
  protocol::MethodId method;
  std::span<const protocol::Value> arguments;
  protocol::InvokeOptions options;
};

template <class Request>
Wanted wanted(const Request& request) {
  return {.thread = request.thread,
          .type = request.type_id,
          .method = request.method_id,
          .arguments = request.arguments,
          .options = request.options};
}

// A request that has passed all checks.
struct Prepared {
  jvm::LocalRef<jthread> thread;
  jvm::GlobalRef<jclass> type;
  jvm::GlobalRef<jobject> instance;
  jmethodID method = nullptr;
  std::string name;
  std::string descriptor;
  jvmdebug::agent::threads::Arguments arguments;
  char return_type = 'V';
};

bool fits(Kind kind, std::string_view name, bool is_static) {
  if (kind == Kind::kNew) {
    return name == "<init>";
  }
  return !name.starts_with('<') && is_static == (kind == Kind::kStatic);
}

// The VM's intrinsics for method handles (MethodHandle.linkToStatic, …). They expect arguments that
// only the VM's own call sites pass, and crash the VM when they are invoked by JNI.
bool is_hook(const jvm::Env& env, std::string_view name, jclass declaring) {
  if (name != "invokeBasic" && !name.starts_with("linkTo")) {
    return false;
  }
  const auto type = env.get_class_signature(declaring);
  return type && type->signature.view() == "Ljava/lang/invoke/MethodHandle;";
}

// Finds the method, if the type has it for that kind of invocation.
Result<jmethodID> resolve(ids::MethodIds& methods, Kind kind, jclass type, protocol::MethodId id) {
  switch (kind) {
    case Kind::kNew:
      return methods.resolve(type, id);
    case Kind::kStatic:
      return methods.resolve_static(type, id);
    default:
      return methods.resolve_inherited(type, id);
  }
}

Result<Prepared> prepare(Agent& agent, Kind kind, const Wanted& what) {
  const jvm::Env& env = agent.jvmti();
  const jvm::Jni jni = agent.jni();
  Prepared prepared;
  JVMDEBUG_ASSIGN(prepared.thread, agent.objects().thread(what.thread));
  JVMDEBUG_CHECK(agent.threads().check_visible(prepared.thread));
  JVMDEBUG_ASSIGN(const auto type, agent.objects().type(what.type));
  JVMDEBUG_ASSIGN(prepared.method, resolve(agent.method_ids(), kind, type, what.method));
  JVMDEBUG_ASSIGN(const auto names, env.get_method_name(prepared.method));
  JVMDEBUG_ASSIGN(const auto modifiers, env.get_method_modifiers(prepared.method));
  // An abstract method has no code, and HotSpot 11 crashes when it is invoked.
  const bool runs = kind != Kind::kNonvirtual || (modifiers & kAbstractModifier) == 0;
  if (!runs || !fits(kind, names.name.view(), (modifiers & kStaticModifier) != 0)) {
    return fail(protocol::Error::kInvalidMethodid);
  }
  prepared.name = names.name.view();
  prepared.descriptor = names.signature.view();
  JVMDEBUG_ASSIGN(auto* const raw_declaring, env.get_method_declaring_class(prepared.method));
  const auto declaring = jni.adopt(raw_declaring);
  if (is_hook(env, prepared.name, declaring)) {
    return fail(protocol::Error::kInvalidMethodid);
  }
  // A method may be invoked through a subclass; the class that declares it is initialised.
  prepared.type = jni.global(kind == Kind::kNew ? type.get() : declaring.get());
  const auto descriptor = jvmdebug::agent::threads::parse_descriptor(prepared.descriptor);
  prepared.return_type = kind == Kind::kNew ? 'L' : descriptor.return_type.front();
  JVMDEBUG_ASSIGN(prepared.arguments,
                  jvmdebug::agent::threads::check_arguments(env, agent.objects(), declaring,
                                                            descriptor, what.arguments));
  return prepared;
}

void start(Agent& agent, Kind kind, const Wanted& what, Result<Prepared> checked,
           Invocation::Answer answer, ReplyTo reply) {
  if (!checked) {
    reply.fail(checked.error());
    return;
  }
  Prepared& prepared = *checked;
  auto invocation = std::make_shared<Invocation>(kind, std::move(reply), std::move(answer));
  invocation->single_threaded =
      protocol::has(what.options, protocol::InvokeOptions::kSingleThreaded);
  invocation->type = std::move(prepared.type);
  invocation->instance = std::move(prepared.instance);
  invocation->method = prepared.method;
  invocation->name = std::move(prepared.name);
  invocation->descriptor = std::move(prepared.descriptor);
  invocation->arguments = std::move(prepared.arguments.values);
  invocation->references = std::move(prepared.arguments.references);
  invocation->return_type = prepared.return_type;
  agent.invoker().request(prepared.thread, invocation);
}

template <class Reply>
Invocation::Answer answer_with_value() {
  return [](protocol::Value value, protocol::TaggedObject exception, ReplyTo reply) {
    reply.send(Reply{.return_value = value, .exception = exception});
  };
}

}  // namespace

namespace class_type {

namespace wire = protocol::class_type;

void invoke_method(Agent& agent, const wire::InvokeMethodRequest& request, ReplyTo reply) {
  const Wanted what = wanted(request);
  start(agent, Kind::kStatic, what, prepare(agent, Kind::kStatic, what),
        answer_with_value<wire::InvokeMethodReply>(), std::move(reply));
}

void new_instance(Agent& agent, const wire::NewInstanceRequest& request, ReplyTo reply) {
  const Wanted what = wanted(request);
  start(
      agent, Kind::kNew, what, prepare(agent, Kind::kNew, what),
      [](protocol::Value value, protocol::TaggedObject exception, ReplyTo to) {
        protocol::TaggedObject made;
        if (exception.id.is_null()) {
          made = {.tag = value.tag, .id = value.as_object()};
        }
        to.send(wire::NewInstanceReply{.new_object = made, .exception = exception});
      },
      std::move(reply));
}

}  // namespace class_type

namespace interface_type {

namespace wire = protocol::interface_type;

void invoke_method(Agent& agent, const wire::InvokeMethodRequest& request, ReplyTo reply) {
  const Wanted what = wanted(request);
  start(agent, Kind::kStatic, what, prepare(agent, Kind::kStatic, what),
        answer_with_value<wire::InvokeMethodReply>(), std::move(reply));
}

}  // namespace interface_type

namespace object_reference {

namespace wire = protocol::object_reference;

namespace {

Result<Prepared> prepare_on_object(Agent& agent, Kind kind,
                                   const wire::InvokeMethodRequest& request) {
  JVMDEBUG_ASSIGN(const auto object, agent.objects().object(request.object));
  JVMDEBUG_ASSIGN(auto prepared, prepare(agent, kind, wanted(request)));
  const jvm::Jni jni = agent.jni();
  if (!jni.instance_of(object, prepared.type)) {
    return fail(protocol::Error::kInvalidObject);
  }
  prepared.instance = jni.global(object.get());
  return prepared;
}

}  // namespace

void invoke_method(Agent& agent, const wire::InvokeMethodRequest& request, ReplyTo reply) {
  const Kind kind = protocol::has(request.options, protocol::InvokeOptions::kNonvirtual)
                        ? Kind::kNonvirtual
                        : Kind::kVirtual;
  start(agent, kind, wanted(request), prepare_on_object(agent, kind, request),
        answer_with_value<wire::InvokeMethodReply>(), std::move(reply));
}

}  // namespace object_reference

}  // namespace jvmdebug::agent::commands
