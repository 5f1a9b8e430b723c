// SPDX-License-Identifier: Apache-2.0
//
// Command set Jvmti, ours: see native/protocol/jvmti.toml.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "agent/agent.h"
#include "agent/code/code_versions.h"
#include "agent/commands/generated/handlers.h"
#include "agent/events/breakpoints.h"
#include "agent/jvm/strings.h"
#include "agent/jvmti_access/access.h"
#include "agent/jvmti_access/extensions.h"
#include "agent/jvmti_access/functions.h"
#include "agent/jvmti_access/jni_counts.h"
#include "agent/session.h"
#include "agent/threads/stepper.h"

namespace jvmdebug::agent::commands::jvmti {

namespace wire = protocol::jvmti;

namespace {

constexpr std::int32_t kMostEvents = 100'000;
constexpr std::int32_t kMostTaken = 10'000;
constexpr std::string_view kRetransformClasses = "RetransformClasses";
constexpr std::string_view kGetThreadGroupInfo = "GetThreadGroupInfo";

// The objects of a request, which live as long as this.
template <class Request>
Result<std::vector<jvm::LocalRef<jobject>>> objects_of(Agent& agent, const Request& request) {
  std::vector<jvm::LocalRef<jobject>> objects;
  for (const protocol::ObjectId id : request.objects) {
    JVMDEBUG_ASSIGN(auto object, agent.objects().object_or_null(id));
    objects.push_back(std::move(object));
  }
  return objects;
}

template <class Reply, class Request>
Result<Reply> run(Agent& agent, const Request& request, bool may_change) {
  const auto* const function = jvmti_access::find_function(request.function);
  JVMDEBUG_ASSIGN(const auto objects, objects_of(agent, request));
  jvmti_access::Call call{.main = agent.jvmti().raw(), .numbers = request.numbers};
  for (const std::string& text : request.texts) {
    call.texts.push_back(jvm::modified_from_utf8(text));
  }
  for (const auto& object : objects) {
    call.objects.push_back(object);
  }
  if (function == nullptr || function->changes != may_change || !function->takes(call)) {
    return fail(protocol::Error::kIllegalArgument);
  }
  Reply reply;
  // HotSpot takes any object for a thread group, and the VM ends.
  if (request.function == kGetThreadGroupInfo &&
      !agent.objects().thread_group(protocol::ThreadGroupId{request.objects.front().raw})) {
    reply.error = JVMTI_ERROR_INVALID_THREAD_GROUP;
    return reply;
  }
  JVMDEBUG_ASSIGN(const auto* const side, agent.session().jvmti_access().side());
  call.side = side->raw();
  jvmti_access::Answer answer;
  reply.error = function->run(call, answer);
  if (reply.error == JVMTI_ERROR_NONE) {
    reply.numbers = std::move(answer.numbers);
    reply.texts = std::move(answer.texts);
    for (jobject const object : answer.objects) {
      reply.objects.push_back(agent.objects().tagged_id(object));
    }
  }
  return reply;
}

// Breakpoints stay at their instructions, and probes are put in again.
Result<wire::ChangeReply> retransform(Agent& agent, const wire::ChangeRequest& request) {
  std::vector<jvm::LocalRef<jclass>> types;
  std::vector<jclass> plain;
  for (const protocol::ObjectId id : request.objects) {
    JVMDEBUG_ASSIGN(auto type, agent.objects().class_object(protocol::ClassObjectId{id.raw}));
    plain.push_back(type);
    types.push_back(std::move(type));
  }
  if (types.empty() || !request.numbers.empty() || !request.texts.empty()) {
    return fail(protocol::Error::kIllegalArgument);
  }
  JVMDEBUG_ASSIGN(const auto* const side, agent.session().jvmti_access().side());
  const auto held = agent.stepper().before_redefinition();
  const auto removed = agent.breakpoints().remove_before_redefinition(types);
  const auto done = side->retransform_classes(plain);
  if (done) {
    agent.code_versions().forget();
    for (const auto& type : types) {
      agent.breakpoints().set_again(type);
    }
  }
  agent.breakpoints().restore(removed);
  agent.stepper().after_redefinition(held);
  wire::ChangeReply reply;
  reply.error = done ? JVMTI_ERROR_NONE : done.error().code;
  return reply;
}

}  // namespace

Result<wire::CallReply> call(Agent& agent, const wire::CallRequest& request) {
  return run<wire::CallReply>(agent, request, false);
}

Result<wire::ChangeReply> change(Agent& agent, const wire::ChangeRequest& request) {
  if (request.function == kRetransformClasses) {
    return retransform(agent, request);
  }
  return run<wire::ChangeReply>(agent, request, true);
}

Result<wire::ExtensionsReply> extensions(Agent& agent, const wire::ExtensionsRequest& /*request*/) {
  wire::ExtensionsReply reply;
  for (const auto& one : jvmti_access::extensions(agent.jvmti().raw())) {
    auto& added = reply.extensions.emplace_back();
    added.is_event = one.function == nullptr;
    added.id = one.id;
    added.description = one.description;
    for (const auto& parameter : one.parameters) {
      added.parameters.push_back({.name = parameter.name,
                                  .kind = parameter.kind,
                                  .type = parameter.type,
                                  .may_be_null = parameter.may_be_null});
    }
  }
  return reply;
}

Result<wire::StartEventsReply> start_events(Agent& agent, const wire::StartEventsRequest& request) {
  if (request.capacity < 1 || request.capacity > kMostEvents) {
    return fail(protocol::Error::kIllegalArgument);
  }
  JVMDEBUG_ASSIGN(
      const auto refused,
      agent.session().jvmti_access().events().start(
          request.events, static_cast<std::size_t>(request.capacity), request.with_present));
  wire::StartEventsReply reply;
  for (const auto& one : refused) {
    reply.refused.push_back({.event = one.event, .error = one.error});
  }
  return reply;
}

Result<wire::TakeEventsReply> take_events(Agent& agent, const wire::TakeEventsRequest& request) {
  if (request.count < 1 || request.count > kMostTaken) {
    return fail(protocol::Error::kIllegalArgument);
  }
  auto taken =
      agent.session().jvmti_access().events().take(static_cast<std::size_t>(request.count));
  wire::TakeEventsReply reply{.dropped = taken.dropped, .events = {}};
  reply.events.reserve(taken.events.size());
  for (auto& one : taken.events) {
    reply.events.push_back({.event = std::string(one.event),
                            .time = one.time,
                            .thread_id = one.thread_id,
                            .thread = std::move(one.thread),
                            .class_name = std::move(one.class_name),
                            .method = std::move(one.method),
                            .descriptor = std::move(one.descriptor),
                            .address = one.address,
                            .size = one.size,
                            .text = std::move(one.text),
                            .inlined = std::move(one.inlined)});
  }
  return reply;
}

Result<void> stop_events(Agent& agent, const wire::StopEventsRequest& /*request*/) {
  agent.session().jvmti_access().events().stop();
  return {};
}

Result<void> count_jni_calls(Agent& agent, const wire::CountJniCallsRequest& request) {
  jvmtiEnv* const env = agent.jvmti().raw();
  JVMDEBUG_CHECK(request.is_on ? jvmti_access::JniCounts::start(env)
                               : jvmti_access::JniCounts::stop(env));
  return {};
}

Result<wire::JniCallsReply> jni_calls(Agent& /*agent*/, const wire::JniCallsRequest& /*request*/) {
  wire::JniCallsReply reply{.is_on = jvmti_access::JniCounts::is_on(), .calls = {}};
  for (auto& one : jvmti_access::JniCounts::counts()) {
    reply.calls.push_back({.function = std::move(one.function), .count = one.calls});
  }
  return reply;
}

Result<wire::RedirectNativeReply> redirect_native(Agent& agent,
                                                  const wire::RedirectNativeRequest& request) {
  JVMDEBUG_ASSIGN(const auto type, agent.objects().type(request.type_id));
  JVMDEBUG_ASSIGN(const auto signature, agent.jvmti().get_class_signature_only(type));
  if (!signature.view().starts_with('L')) {
    return fail(protocol::Error::kInvalidClass);
  }
  const jvmti_access::NativeMethod method{
      .type = std::string(signature.view()),
      .name = jvm::modified_from_utf8(request.method),
      .descriptor = jvm::modified_from_utf8(request.descriptor)};
  auto& redirects = agent.session().jvmti_access().redirects();
  const auto done = request.library.empty() ? redirects.undo(agent.jni(), type, method)
                                            : redirects.redirect(agent.jni(), type, method,
                                                                 request.library, request.symbol);
  return wire::RedirectNativeReply{.reason = done ? "" : done.error(),
                                   .can_be_undone = done.value_or(false)};
}

Result<wire::ProtectionDomainReply> protection_domain(
    Agent& agent, const wire::ProtectionDomainRequest& request) {
  JVMDEBUG_ASSIGN(const auto type, agent.objects().type(request.type_id));
  JVMDEBUG_ASSIGN(jobject const domain, jvmti_access::protection_domain(agent.jvmti().vm(), type));
  return wire::ProtectionDomainReply{.domain = agent.objects().tagged_id(domain)};
}

}  // namespace jvmdebug::agent::commands::jvmti
