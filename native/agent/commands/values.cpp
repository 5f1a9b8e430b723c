// SPDX-License-Identifier: Apache-2.0
#include "agent/commands/values.h"

#include <utility>

#include "agent/jvm/assignability.h"

namespace jvmdebug::agent::commands {
namespace {

using protocol::Tag;
using protocol::Value;

Value read_object(Agent& agent, const jvm::Jni& jni, jobject raw) {
  const auto object = jni.adopt(raw);
  return Value::of_object(agent.objects().tagged_id(object));
}

Value read_static(Agent& agent, const jvm::Jni& jni, const ids::Field& field) {
  auto* const type = field.declaring.get();
  switch (tag_of_signature(field.signature)) {
    case Tag::kBoolean:
      return Value::of_boolean(jni->GetStaticBooleanField(type, field.id) != JNI_FALSE);
    case Tag::kByte:
      return Value::of_byte(jni->GetStaticByteField(type, field.id));
    case Tag::kChar:
      return Value::of_char(jni->GetStaticCharField(type, field.id));
    case Tag::kShort:
      return Value::of_short(jni->GetStaticShortField(type, field.id));
    case Tag::kInt:
      return Value::of_int(jni->GetStaticIntField(type, field.id));
    case Tag::kLong:
      return Value::of_long(jni->GetStaticLongField(type, field.id));
    case Tag::kFloat:
      return Value::of_float(jni->GetStaticFloatField(type, field.id));
    case Tag::kDouble:
      return Value::of_double(jni->GetStaticDoubleField(type, field.id));
    default:
      return read_object(agent, jni, jni->GetStaticObjectField(type, field.id));
  }
}

Value read_instance(Agent& agent, const jvm::Jni& jni, jobject object, const ids::Field& field) {
  switch (tag_of_signature(field.signature)) {
    case Tag::kBoolean:
      return Value::of_boolean(jni->GetBooleanField(object, field.id) != JNI_FALSE);
    case Tag::kByte:
      return Value::of_byte(jni->GetByteField(object, field.id));
    case Tag::kChar:
      return Value::of_char(jni->GetCharField(object, field.id));
    case Tag::kShort:
      return Value::of_short(jni->GetShortField(object, field.id));
    case Tag::kInt:
      return Value::of_int(jni->GetIntField(object, field.id));
    case Tag::kLong:
      return Value::of_long(jni->GetLongField(object, field.id));
    case Tag::kFloat:
      return Value::of_float(jni->GetFloatField(object, field.id));
    case Tag::kDouble:
      return Value::of_double(jni->GetDoubleField(object, field.id));
    default:
      return read_object(agent, jni, jni->GetObjectField(object, field.id));
  }
}

void write_static(const jvm::Jni& jni, const FieldStore& store) {
  auto* const type = store.field.declaring.get();
  auto* const field = store.field.id;
  switch (store.value.tag) {
    case Tag::kBoolean:
      return jni->SetStaticBooleanField(type, field,
                                        store.value.as_boolean() ? JNI_TRUE : JNI_FALSE);
    case Tag::kByte:
      return jni->SetStaticByteField(type, field, store.value.as_byte());
    case Tag::kChar:
      return jni->SetStaticCharField(type, field, store.value.as_char());
    case Tag::kShort:
      return jni->SetStaticShortField(type, field, store.value.as_short());
    case Tag::kInt:
      return jni->SetStaticIntField(type, field, store.value.as_int());
    case Tag::kLong:
      return jni->SetStaticLongField(type, field, store.value.as_long());
    case Tag::kFloat:
      return jni->SetStaticFloatField(type, field, store.value.as_float());
    case Tag::kDouble:
      return jni->SetStaticDoubleField(type, field, store.value.as_double());
    default:
      return jni->SetStaticObjectField(type, field, store.object);
  }
}

void write_instance(const jvm::Jni& jni, jobject object, const FieldStore& store) {
  auto* const field = store.field.id;
  switch (store.value.tag) {
    case Tag::kBoolean:
      return jni->SetBooleanField(object, field, store.value.as_boolean() ? JNI_TRUE : JNI_FALSE);
    case Tag::kByte:
      return jni->SetByteField(object, field, store.value.as_byte());
    case Tag::kChar:
      return jni->SetCharField(object, field, store.value.as_char());
    case Tag::kShort:
      return jni->SetShortField(object, field, store.value.as_short());
    case Tag::kInt:
      return jni->SetIntField(object, field, store.value.as_int());
    case Tag::kLong:
      return jni->SetLongField(object, field, store.value.as_long());
    case Tag::kFloat:
      return jni->SetFloatField(object, field, store.value.as_float());
    case Tag::kDouble:
      return jni->SetDoubleField(object, field, store.value.as_double());
    default:
      return jni->SetObjectField(object, field, store.object);
  }
}

}  // namespace

Tag tag_of_signature(std::string_view signature) {
  return signature.empty() ? Tag::kVoid : static_cast<Tag>(signature.front());
}

Value read_field(Agent& agent, jobject object, const ids::Field& field) {
  const jvm::Jni jni = agent.jni();
  return field.is_static ? read_static(agent, jni, field)
                         : read_instance(agent, jni, object, field);
}

Result<FieldStore> read_store(Agent& agent, codec::Reader& reader, ids::Field field) {
  FieldStore store;
  store.value = reader.read_untagged(tag_of_signature(field.signature));
  if (reader.failed()) {
    return fail(reader.error());
  }
  if (protocol::is_object(store.value.tag)) {
    JVMDEBUG_ASSIGN(store.object, agent.objects().object_or_null(store.value.as_object()));
    if (!jvm::assignable(agent.jvmti(), agent.jni(), store.object, field.signature,
                         field.declaring)) {
      return fail(protocol::Error::kTypeMismatch);
    }
  }
  store.field = std::move(field);
  return store;
}

void write_field(const jvm::Jni& jni, jobject object, const FieldStore& store) {
  if (store.field.is_static) {
    write_static(jni, store);
  } else {
    write_instance(jni, object, store);
  }
}

}  // namespace jvmdebug::agent::commands
