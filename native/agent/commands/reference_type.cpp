// SPDX-License-Identifier: Apache-2.0
//
// Command set ReferenceType, first part: names, members, kinds and values.
#include <utility>

#include "agent/agent.h"
#include "agent/commands/class_status.h"
#include "agent/commands/generated/handlers.h"
#include "agent/commands/values.h"
#include "agent/ids/locations.h"

namespace jvmdebug::agent::commands::reference_type {

namespace wire = protocol::reference_type;

namespace {

// The bits that JDWP adds to the modifiers of a member that the compiler made.
constexpr std::uint32_t kSyntheticBits = 0xf0000000U;

std::int32_t with_synthetic(jint modifiers, bool synthetic) {
  return synthetic
             ? static_cast<std::int32_t>(static_cast<std::uint32_t>(modifiers) | kSyntheticBits)
             : modifiers;
}

struct Member {
  jvm::Names names;
  std::int32_t modifiers = 0;
};

Result<Member> describe_field(const jvm::Env& env, jclass type, jfieldID field) {
  JVMDEBUG_ASSIGN(auto names, env.get_field_name(type, field));
  JVMDEBUG_ASSIGN(const jint modifiers, env.get_field_modifiers(type, field));
  const bool synthetic = env.is_field_synthetic(type, field).value_or(false);
  return Member{std::move(names), with_synthetic(modifiers, synthetic)};
}

Result<Member> describe_method(const jvm::Env& env, jmethodID method) {
  JVMDEBUG_ASSIGN(auto names, env.get_method_name(method));
  JVMDEBUG_ASSIGN(const jint modifiers, env.get_method_modifiers(method));
  const bool synthetic = env.is_method_synthetic(method).value_or(false);
  return Member{std::move(names), with_synthetic(modifiers, synthetic)};
}

}  // namespace

Result<wire::SignatureReply> signature(Agent& agent, const wire::SignatureRequest& request) {
  JVMDEBUG_ASSIGN(const auto type, agent.objects().type(request.type_id));
  JVMDEBUG_ASSIGN(const auto names, agent.jvmti().get_class_signature(type));
  return wire::SignatureReply{.signature = names.signature.utf8()};
}

Result<wire::SignatureWithGenericReply> signature_with_generic(
    Agent& agent, const wire::SignatureWithGenericRequest& request) {
  JVMDEBUG_ASSIGN(const auto type, agent.objects().type(request.type_id));
  JVMDEBUG_ASSIGN(const auto names, agent.jvmti().get_class_signature(type));
  return wire::SignatureWithGenericReply{.signature = names.signature.utf8(),
                                         .generic_signature = names.generic.utf8()};
}

Result<wire::ClassLoaderReply> class_loader(Agent& agent, const wire::ClassLoaderRequest& request) {
  JVMDEBUG_ASSIGN(const auto type, agent.objects().type(request.type_id));
  JVMDEBUG_ASSIGN(auto* const loader, agent.jvmti().get_class_loader(type));
  return wire::ClassLoaderReply{.class_loader = agent.objects().class_loader_id(loader)};
}

Result<wire::ModifiersReply> modifiers(Agent& agent, const wire::ModifiersRequest& request) {
  JVMDEBUG_ASSIGN(const auto type, agent.objects().type(request.type_id));
  JVMDEBUG_ASSIGN(const jint bits, agent.jvmti().get_class_modifiers(type));
  return wire::ModifiersReply{.modifiers = bits};
}

Result<wire::FieldsReply> fields(Agent& agent, const wire::FieldsRequest& request) {
  const jvm::Env& env = agent.jvmti();
  JVMDEBUG_ASSIGN(const auto type, agent.objects().type(request.type_id));
  JVMDEBUG_ASSIGN(const auto listed, env.get_class_fields(type));
  wire::FieldsReply reply;
  reply.fields.reserve(listed.size());
  for (auto* const field : listed) {
    JVMDEBUG_ASSIGN(const auto member, describe_field(env, type, field));
    reply.fields.push_back({.field_id = ids::FieldIds::id(field),
                            .name = member.names.name.utf8(),
                            .signature = member.names.signature.utf8(),
                            .modifiers = member.modifiers});
  }
  return reply;
}

Result<wire::FieldsWithGenericReply> fields_with_generic(
    Agent& agent, const wire::FieldsWithGenericRequest& request) {
  const jvm::Env& env = agent.jvmti();
  JVMDEBUG_ASSIGN(const auto type, agent.objects().type(request.type_id));
  JVMDEBUG_ASSIGN(const auto listed, env.get_class_fields(type));
  wire::FieldsWithGenericReply reply;
  reply.fields.reserve(listed.size());
  for (auto* const field : listed) {
    JVMDEBUG_ASSIGN(const auto member, describe_field(env, type, field));
    reply.fields.push_back({.field_id = ids::FieldIds::id(field),
                            .name = member.names.name.utf8(),
                            .signature = member.names.signature.utf8(),
                            .generic_signature = member.names.generic.utf8(),
                            .modifiers = member.modifiers});
  }
  return reply;
}

Result<wire::MethodsReply> methods(Agent& agent, const wire::MethodsRequest& request) {
  const jvm::Env& env = agent.jvmti();
  JVMDEBUG_ASSIGN(const auto type, agent.objects().type(request.type_id));
  JVMDEBUG_ASSIGN(const auto listed, env.get_class_methods(type));
  wire::MethodsReply reply;
  reply.methods.reserve(listed.size());
  for (auto* const method : listed) {
    JVMDEBUG_ASSIGN(const auto member, describe_method(env, method));
    reply.methods.push_back({.method_id = agent.method_ids().id(method, type),
                             .name = member.names.name.utf8(),
                             .signature = member.names.signature.utf8(),
                             .modifiers = member.modifiers});
  }
  return reply;
}

Result<wire::MethodsWithGenericReply> methods_with_generic(
    Agent& agent, const wire::MethodsWithGenericRequest& request) {
  const jvm::Env& env = agent.jvmti();
  JVMDEBUG_ASSIGN(const auto type, agent.objects().type(request.type_id));
  JVMDEBUG_ASSIGN(const auto listed, env.get_class_methods(type));
  wire::MethodsWithGenericReply reply;
  reply.methods.reserve(listed.size());
  for (auto* const method : listed) {
    JVMDEBUG_ASSIGN(const auto member, describe_method(env, method));
    reply.methods.push_back({.method_id = agent.method_ids().id(method, type),
                             .name = member.names.name.utf8(),
                             .signature = member.names.signature.utf8(),
                             .generic_signature = member.names.generic.utf8(),
                             .modifiers = member.modifiers});
  }
  return reply;
}

Result<wire::GetValuesReply> get_values(Agent& agent, const wire::GetValuesRequest& request) {
  JVMDEBUG_ASSIGN(const auto type, agent.objects().type(request.type_id));
  JVMDEBUG_ASSIGN(const jint status, agent.jvmti().get_class_status(type));
  if ((status & JVMTI_CLASS_STATUS_PRIMITIVE) != 0) {
    return fail(protocol::Error::kInvalidClass);
  }
  wire::GetValuesReply reply;
  reply.values.reserve(request.fields.size());
  for (const protocol::FieldId id : request.fields) {
    JVMDEBUG_ASSIGN(const auto field, agent.field_ids().member(type, id));
    if (!field.is_static) {
      return fail(protocol::Error::kInvalidFieldid);
    }
    reply.values.push_back(read_field(agent, nullptr, field));
  }
  return reply;
}

Result<wire::StatusReply> status(Agent& agent, const wire::StatusRequest& request) {
  JVMDEBUG_ASSIGN(const auto type, agent.objects().type(request.type_id));
  JVMDEBUG_ASSIGN(const jint bits, agent.jvmti().get_class_status(type));
  return wire::StatusReply{.status = class_status(bits)};
}

Result<wire::InterfacesReply> interfaces(Agent& agent, const wire::InterfacesRequest& request) {
  JVMDEBUG_ASSIGN(const auto type, agent.objects().type(request.type_id));
  JVMDEBUG_ASSIGN(const auto listed, agent.jvmti().get_implemented_interfaces(type));
  wire::InterfacesReply reply;
  reply.interfaces.reserve(listed.size());
  for (auto* const interface : listed) {
    reply.interfaces.emplace_back(agent.objects().type_id(interface).raw);
  }
  return reply;
}

Result<wire::ClassObjectReply> class_object(Agent& agent, const wire::ClassObjectRequest& request) {
  JVMDEBUG_ASSIGN(const auto type, agent.objects().type(request.type_id));
  return wire::ClassObjectReply{.class_object = agent.objects().class_object_id(type)};
}

Result<wire::ModuleReply> module(Agent& agent, const wire::ModuleRequest& request) {
  JVMDEBUG_ASSIGN(const auto type, agent.objects().type(request.type_id));
  const jvm::Jni jni = agent.jni();
  const auto found = jni.adopt(jni->GetModule(type));
  return wire::ModuleReply{.module = agent.objects().module_id(found)};
}

}  // namespace jvmdebug::agent::commands::reference_type
