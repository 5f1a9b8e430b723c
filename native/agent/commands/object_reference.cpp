// SPDX-License-Identifier: Apache-2.0
//
// Command sets ObjectReference (the commands that do not run code), StringReference,
// ModuleReference.
#include <cstdint>
#include <utility>
#include <vector>

#include "agent/agent.h"
#include "agent/commands/generated/handlers.h"
#include "agent/commands/own_objects.h"
#include "agent/commands/values.h"
#include "agent/ids/locations.h"
#include "agent/jvm/heap_walk.h"

namespace jvmdebug::agent::commands {

namespace object_reference {

namespace wire = protocol::object_reference;

Result<wire::ReferenceTypeReply> reference_type(Agent& agent,
                                                const wire::ReferenceTypeRequest& request) {
  JVMDEBUG_ASSIGN(const auto object, agent.objects().object(request.object));
  const auto type = agent.jni().object_class(object);
  return wire::ReferenceTypeReply{.type_tag = ids::type_tag(agent.jvmti(), type),
                                  .type_id = agent.objects().type_id(type)};
}

Result<wire::GetValuesReply> get_values(Agent& agent, const wire::GetValuesRequest& request) {
  JVMDEBUG_ASSIGN(const auto object, agent.objects().object(request.object));
  const auto type = agent.jni().object_class(object);
  wire::GetValuesReply reply;
  reply.values.reserve(request.fields.size());
  for (const protocol::FieldId id : request.fields) {
    JVMDEBUG_ASSIGN(const auto field, agent.field_ids().member(type, id));
    reply.values.push_back(read_field(agent, object, field));
  }
  return reply;
}

Result<void> set_values(Agent& agent, const wire::SetValuesRequest& request) {
  JVMDEBUG_ASSIGN(const auto object, agent.objects().object(request.object));
  const auto type = agent.jni().object_class(object);
  codec::Reader reader = request.values.reader;
  std::vector<FieldStore> stores;
  for (std::int32_t index = 0; index < request.values.count; ++index) {
    JVMDEBUG_ASSIGN(auto field,
                    agent.field_ids().member(type, reader.read_id<protocol::FieldId>()));
    JVMDEBUG_ASSIGN(auto store, read_store(agent, reader, std::move(field)));
    stores.push_back(std::move(store));
  }
  // The whole request is valid: now the fields are set.
  for (const FieldStore& store : stores) {
    write_field(agent.jni(), object, store);
  }
  return {};
}

Result<wire::MonitorInfoReply> monitor_info(Agent& agent, const wire::MonitorInfoRequest& request) {
  JVMDEBUG_ASSIGN(const auto object, agent.objects().object(request.object));
  JVMDEBUG_ASSIGN(const auto usage, agent.jvmti().get_object_monitor_usage(object));
  wire::MonitorInfoReply reply{.owner = agent.objects().thread_id(usage.owner),
                               .entry_count = usage.entry_count,
                               .waiters = {}};
  reply.waiters.reserve(usage.waiters.size());
  for (auto* const waiter : usage.waiters) {
    reply.waiters.push_back(agent.objects().thread_id(waiter));
  }
  // JVM TI counted the threads in Object.wait among the waiters until JDK 22; JDWP still does.
  if (agent.jvmti().feature_version() >= 23) {
    for (auto* const waiter : usage.notify_waiters) {
      reply.waiters.push_back(agent.objects().thread_id(waiter));
    }
  }
  return reply;
}

Result<void> disable_collection(Agent& agent, const wire::DisableCollectionRequest& request) {
  if (request.object.is_null()) {
    return {};
  }
  return agent.objects().pin(request.object);
}

Result<void> enable_collection(Agent& agent, const wire::EnableCollectionRequest& request) {
  agent.objects().unpin(request.object);
  return {};
}

Result<wire::IsCollectedReply> is_collected(Agent& agent, const wire::IsCollectedRequest& request) {
  if (request.object.is_null()) {
    return fail(protocol::Error::kInvalidObject);
  }
  return wire::IsCollectedReply{.is_collected = agent.objects().is_collected(request.object)};
}

Result<wire::ReferringObjectsReply> referring_objects(
    Agent& agent, const wire::ReferringObjectsRequest& request) {
  if (request.max_referrers < 0) {
    return fail(protocol::Error::kIllegalArgument);
  }
  JVMDEBUG_ASSIGN(const auto object, agent.objects().object(request.object));
  JVMDEBUG_ASSIGN(const auto walk, walk_of_program(agent));
  JVMDEBUG_ASSIGN(const auto found, walk.referrers(object, request.max_referrers));
  wire::ReferringObjectsReply reply;
  reply.referring_objects.reserve(found.size());
  for (auto* const referrer : found) {
    reply.referring_objects.push_back(agent.objects().tagged_id(referrer));
  }
  return reply;
}

}  // namespace object_reference

namespace string_reference {

namespace wire = protocol::string_reference;

Result<wire::ValueReply> value(Agent& agent, const wire::ValueRequest& request) {
  JVMDEBUG_ASSIGN(const auto string,
                  agent.objects().string(protocol::StringId{request.string.raw}));
  return wire::ValueReply{.text = agent.jni().text(string)};
}

}  // namespace string_reference

namespace module_reference {

namespace wire = protocol::module_reference;

namespace {

// Reads a private field of java.lang.Module, because its methods would run Java code. Null when
// there is no such field.
Result<jvm::LocalRef<jobject>> field_of(const jvm::Jni& jni, jobject module, const char* name,
                                        const char* signature) {
  const auto type = jni.object_class(module);
  auto* const field = jni->GetFieldID(type, name, signature);
  if (jni.clear_exception() || field == nullptr) {
    return fail(protocol::Error::kInternal);
  }
  return jni.adopt(jni->GetObjectField(module, field));
}

}  // namespace

Result<wire::NameReply> name(Agent& agent, const wire::NameRequest& request) {
  const jvm::Jni jni = agent.jni();
  JVMDEBUG_ASSIGN(const auto module, agent.objects().module(request.module));
  JVMDEBUG_ASSIGN(auto found, field_of(jni, module, "name", "Ljava/lang/String;"));
  if (!found) {
    return wire::NameReply{};  // the unnamed module
  }
  return wire::NameReply{.name = jni.text(std::move(found).as<jstring>())};
}

Result<wire::ClassLoaderReply> class_loader(Agent& agent, const wire::ClassLoaderRequest& request) {
  JVMDEBUG_ASSIGN(const auto module, agent.objects().module(request.module));
  JVMDEBUG_ASSIGN(const auto loader,
                  field_of(agent.jni(), module, "loader", "Ljava/lang/ClassLoader;"));
  return wire::ClassLoaderReply{.class_loader = agent.objects().class_loader_id(loader)};
}

}  // namespace module_reference

}  // namespace jvmdebug::agent::commands
