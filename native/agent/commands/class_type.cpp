// SPDX-License-Identifier: Apache-2.0
//
// Command sets ClassType (the commands that do not run code), ArrayType, ClassLoaderReference,
// ClassObjectReference: the small ones about classes.
#include <cstdint>
#include <utility>
#include <vector>

#include "agent/agent.h"
#include "agent/code/code_versions.h"
#include "agent/commands/generated/handlers.h"
#include "agent/commands/values.h"
#include "agent/ids/locations.h"
#include "agent/jvm/assignability.h"

namespace jvmdebug::agent::commands {

namespace class_type {

namespace wire = protocol::class_type;

Result<wire::SuperclassReply> superclass(Agent& agent, const wire::SuperclassRequest& request) {
  JVMDEBUG_ASSIGN(const auto type, agent.objects().type(request.type_id));
  const auto above = agent.jni().superclass(type);
  return wire::SuperclassReply{.superclass = protocol::ClassId{agent.objects().type_id(above).raw}};
}

Result<void> set_values(Agent& agent, const wire::SetValuesRequest& request) {
  JVMDEBUG_ASSIGN(const auto type, agent.objects().type(request.type_id));
  codec::Reader reader = request.values.reader;
  std::vector<FieldStore> stores;
  for (std::int32_t index = 0; index < request.values.count; ++index) {
    JVMDEBUG_ASSIGN(auto field,
                    agent.field_ids().member(type, reader.read_id<protocol::FieldId>()));
    if (!field.is_static) {
      return fail(protocol::Error::kInvalidFieldid);
    }
    JVMDEBUG_ASSIGN(auto store, read_store(agent, reader, std::move(field)));
    stores.push_back(std::move(store));
  }
  // The whole request is valid: now the fields are set.
  for (const FieldStore& store : stores) {
    write_field(agent.jni(), nullptr, store);
  }
  return {};
}

}  // namespace class_type

namespace array_type {

namespace wire = protocol::array_type;

namespace {

jarray new_primitive_array(const jvm::Jni& jni, protocol::Tag component, jsize length) {
  switch (component) {
    case protocol::Tag::kBoolean:
      return jni->NewBooleanArray(length);
    case protocol::Tag::kByte:
      return jni->NewByteArray(length);
    case protocol::Tag::kChar:
      return jni->NewCharArray(length);
    case protocol::Tag::kShort:
      return jni->NewShortArray(length);
    case protocol::Tag::kInt:
      return jni->NewIntArray(length);
    case protocol::Tag::kLong:
      return jni->NewLongArray(length);
    case protocol::Tag::kFloat:
      return jni->NewFloatArray(length);
    case protocol::Tag::kDouble:
      return jni->NewDoubleArray(length);
    default:
      return nullptr;
  }
}

}  // namespace

Result<wire::NewInstanceReply> new_instance(Agent& agent, const wire::NewInstanceRequest& request) {
  const jvm::Jni jni = agent.jni();
  JVMDEBUG_ASSIGN(const auto type, agent.objects().type(request.type_id));
  JVMDEBUG_ASSIGN(const auto names, agent.jvmti().get_class_signature(type));
  const std::string_view signature = names.signature.view();
  // Both errors are as from the JDK's own agent.
  if (!signature.starts_with('[')) {
    return fail(protocol::Error::kTypeMismatch);
  }
  if (request.length < 0) {
    return fail(protocol::Error::kOutOfMemory);
  }
  const protocol::Tag component = tag_of_signature(signature.substr(1));
  agent.objects().retain_known();
  jarray raw = nullptr;
  if (protocol::is_object(component)) {
    const auto component_class = jvm::component_type(agent.jvmti(), jni, type);
    if (!component_class) {
      return fail(protocol::Error::kInternal);
    }
    raw = jni->NewObjectArray(request.length, component_class, nullptr);
  } else {
    raw = new_primitive_array(jni, component, request.length);
  }
  const auto array = jni.adopt(raw);
  if (jni.clear_exception() || !array) {
    return fail(protocol::Error::kOutOfMemory);
  }
  return wire::NewInstanceReply{.new_array = agent.objects().tagged_id(array)};
}

}  // namespace array_type

namespace class_loader_reference {

namespace wire = protocol::class_loader_reference;

Result<wire::VisibleClassesReply> visible_classes(Agent& agent,
                                                  const wire::VisibleClassesRequest& request) {
  const jvm::Env& env = agent.jvmti();
  const jvm::Jni jni = agent.jni();
  jvm::LocalRef<jobject> loader;  // null: the bootstrap loader
  if (!request.class_loader.is_null()) {
    JVMDEBUG_ASSIGN(loader, agent.objects().class_loader(request.class_loader));
  }
  JVMDEBUG_ASSIGN(const auto classes, env.get_class_loader_classes(loader));
  wire::VisibleClassesReply reply;
  reply.classes.reserve(classes.size());
  for (auto* const raw : classes) {
    // Lists classes that are not prepared yet as well, unlike AllClasses.
    const auto type = jni.adopt(raw);
    if (agent.code_versions().hides(type)) {
      continue;
    }
    reply.classes.push_back(
        {.type_tag = ids::type_tag(env, type), .type_id = agent.objects().type_id(type)});
  }
  return reply;
}

}  // namespace class_loader_reference

namespace class_object_reference {

namespace wire = protocol::class_object_reference;

Result<wire::ReflectedTypeReply> reflected_type(Agent& agent,
                                                const wire::ReflectedTypeRequest& request) {
  JVMDEBUG_ASSIGN(const auto type, agent.objects().class_object(request.class_object));
  return wire::ReflectedTypeReply{.type_tag = ids::type_tag(agent.jvmti(), type),
                                  .type_id = agent.objects().type_id(type)};
}

}  // namespace class_object_reference

}  // namespace jvmdebug::agent::commands
