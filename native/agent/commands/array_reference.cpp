// SPDX-License-Identifier: Apache-2.0
//
// Command set ArrayReference.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "agent/agent.h"
#include "agent/commands/generated/handlers.h"
#include "agent/commands/values.h"
#include "agent/jvm/assignability.h"

namespace jvmdebug::agent::commands::array_reference {

namespace wire = protocol::array_reference;

namespace {

using protocol::Tag;
using protocol::Value;

// How JNI reads and writes regions of arrays of one primitive type, and how the wire holds one.
template <class Element, class Array>
struct Primitive {
  void (JNIEnv::*get)(Array, jsize, jsize, Element*);
  void (JNIEnv::*set)(Array, jsize, jsize, const Element*);
  Value (*to_wire)(Element);
  Element (*from_wire)(const Value&);
};

// Calls `use` with the description of the primitive type; false when `tag` is not one.
template <class Use>
bool with_primitive(Tag tag, const Use& use) {
  switch (tag) {
    case Tag::kBoolean:
      use(Primitive<jboolean, jbooleanArray>{
          &JNIEnv::GetBooleanArrayRegion, &JNIEnv::SetBooleanArrayRegion,
          [](jboolean element) { return Value::of_boolean(element != JNI_FALSE); },
          [](const Value& value) -> jboolean {
            return value.as_boolean() ? JNI_TRUE : JNI_FALSE;
          }});
      return true;
    case Tag::kByte:
      use(Primitive<jbyte, jbyteArray>{&JNIEnv::GetByteArrayRegion, &JNIEnv::SetByteArrayRegion,
                                       [](jbyte element) { return Value::of_byte(element); },
                                       [](const Value& value) { return value.as_byte(); }});
      return true;
    case Tag::kChar:
      use(Primitive<jchar, jcharArray>{&JNIEnv::GetCharArrayRegion, &JNIEnv::SetCharArrayRegion,
                                       [](jchar element) { return Value::of_char(element); },
                                       [](const Value& value) { return value.as_char(); }});
      return true;
    case Tag::kShort:
      use(Primitive<jshort, jshortArray>{&JNIEnv::GetShortArrayRegion, &JNIEnv::SetShortArrayRegion,
                                         [](jshort element) { return Value::of_short(element); },
                                         [](const Value& value) { return value.as_short(); }});
      return true;
    case Tag::kInt:
      use(Primitive<jint, jintArray>{&JNIEnv::GetIntArrayRegion, &JNIEnv::SetIntArrayRegion,
                                     [](jint element) { return Value::of_int(element); },
                                     [](const Value& value) { return value.as_int(); }});
      return true;
    case Tag::kLong:
      use(Primitive<jlong, jlongArray>{
          &JNIEnv::GetLongArrayRegion, &JNIEnv::SetLongArrayRegion,
          [](jlong element) { return Value::of_long(element); },
          [](const Value& value) -> jlong { return value.as_long(); }});
      return true;
    case Tag::kFloat:
      use(Primitive<jfloat, jfloatArray>{&JNIEnv::GetFloatArrayRegion, &JNIEnv::SetFloatArrayRegion,
                                         [](jfloat element) { return Value::of_float(element); },
                                         [](const Value& value) { return value.as_float(); }});
      return true;
    case Tag::kDouble:
      use(Primitive<jdouble, jdoubleArray>{
          &JNIEnv::GetDoubleArrayRegion, &JNIEnv::SetDoubleArrayRegion,
          [](jdouble element) { return Value::of_double(element); },
          [](const Value& value) { return value.as_double(); }});
      return true;
    default:
      return false;
  }
}

template <class Element, class Array>
std::vector<Value> read_primitives(const jvm::Jni& jni, jarray array, jsize first, jsize length,
                                   const Primitive<Element, Array>& type) {
  // In pieces, so that a big array does not need its size twice.
  constexpr jsize kPiece = 16384;
  std::vector<Element> piece(static_cast<std::size_t>(std::min(length, kPiece)));
  std::vector<Value> values;
  values.reserve(static_cast<std::size_t>(length));
  for (jsize done = 0; done < length;) {
    const jsize count = std::min(length - done, kPiece);
    (jni.raw()->*type.get)(static_cast<Array>(array), first + done, count, piece.data());
    for (jsize index = 0; index < count; ++index) {
      values.push_back(type.to_wire(piece[static_cast<std::size_t>(index)]));
    }
    done += count;
  }
  return values;
}

std::vector<Value> read_objects(Agent& agent, const jvm::Jni& jni, jarray array, jsize first,
                                jsize length) {
  std::vector<Value> values;
  values.reserve(static_cast<std::size_t>(length));
  for (jsize index = 0; index < length; ++index) {
    const auto element =
        jni.adopt(jni->GetObjectArrayElement(static_cast<jobjectArray>(array), first + index));
    values.push_back(Value::of_object(agent.objects().tagged_id(element)));
  }
  return values;
}

Result<void> write_objects(Agent& agent, const jvm::Jni& jni, jarray array, jclass type,
                           jsize first, const protocol::RawValues& values) {
  const auto component = jvm::component_type(agent.jvmti(), jni, type);
  if (!component) {
    return fail(protocol::Error::kInternal);
  }
  codec::Reader reader = values.reader;
  std::vector<jvm::LocalRef<jobject>> elements;
  for (std::int32_t index = 0; index < values.count; ++index) {
    const Value value = reader.read_untagged(Tag::kObject);
    if (reader.failed()) {
      return fail(reader.error());
    }
    JVMDEBUG_ASSIGN(auto element, agent.objects().object_or_null(value.as_object()));
    if (!jni.instance_of(element, component)) {
      return fail(protocol::Error::kTypeMismatch);
    }
    elements.push_back(std::move(element));
  }
  for (jsize index = first; const auto& element : elements) {
    jni->SetObjectArrayElement(static_cast<jobjectArray>(array), index, element);
    ++index;
  }
  return jni.clear_exception() ? fail(protocol::Error::kTypeMismatch) : Result<void>();
}

template <class Element, class Array>
Result<void> write_primitives(const jvm::Jni& jni, jarray array, Tag tag, jsize first,
                              const protocol::RawValues& values,
                              const Primitive<Element, Array>& type) {
  codec::Reader reader = values.reader;
  std::vector<Element> elements;
  for (std::int32_t index = 0; index < values.count && !reader.failed(); ++index) {
    elements.push_back(type.from_wire(reader.read_untagged(tag)));
  }
  if (reader.failed()) {
    return fail(reader.error());
  }
  (jni.raw()->*type.set)(static_cast<Array>(array), first, values.count, elements.data());
  return {};
}

Result<Tag> component_tag(const jvm::Env& env, jclass type) {
  JVMDEBUG_ASSIGN(const auto names, env.get_class_signature(type));
  return tag_of_signature(names.signature.view().substr(1));
}

// INVALID_INDEX or INVALID_LENGTH for a range that is not inside the array.
Result<void> check_range(jsize size, jsize first, jsize length) {
  if (first < 0 || first >= size) {
    return fail(protocol::Error::kInvalidIndex);
  }
  if (length < 0 || length > size - first) {
    return fail(protocol::Error::kInvalidLength);
  }
  return {};
}

}  // namespace

Result<wire::LengthReply> length(Agent& agent, const wire::LengthRequest& request) {
  JVMDEBUG_ASSIGN(const auto array, agent.objects().array(request.array));
  return wire::LengthReply{.length = agent.jni()->GetArrayLength(array)};
}

Result<wire::GetValuesReply> get_values(Agent& agent, const wire::GetValuesRequest& request) {
  const jvm::Jni jni = agent.jni();
  JVMDEBUG_ASSIGN(const auto array, agent.objects().array(request.array));
  const jsize size = jni->GetArrayLength(array);
  const jsize first = request.first_index;
  // An index below 0 is refused before a length made from it is used.
  const jsize count = request.length == -1 && first >= 0 ? size - first : request.length;
  JVMDEBUG_CHECK(check_range(size, first, count));
  const auto type = jni.object_class(array);
  wire::GetValuesReply reply;
  JVMDEBUG_ASSIGN(reply.values.tag, component_tag(agent.jvmti(), type));
  const bool primitive = with_primitive(reply.values.tag, [&](const auto& description) {
    reply.values.values = read_primitives(jni, array, first, count, description);
  });
  if (!primitive) {
    reply.values.values = read_objects(agent, jni, array, first, count);
  }
  return reply;
}

Result<void> set_values(Agent& agent, const wire::SetValuesRequest& request) {
  const jvm::Jni jni = agent.jni();
  JVMDEBUG_ASSIGN(const auto array, agent.objects().array(request.array));
  const jsize first = request.first_index;
  JVMDEBUG_CHECK(check_range(jni->GetArrayLength(array), first, request.values.count));
  const auto type = jni.object_class(array);
  JVMDEBUG_ASSIGN(const Tag tag, component_tag(agent.jvmti(), type));
  Result<void> outcome;
  const bool primitive = with_primitive(tag, [&](const auto& description) {
    outcome = write_primitives(jni, array, tag, first, request.values, description);
  });
  return primitive ? outcome : write_objects(agent, jni, array, type, first, request.values);
}

}  // namespace jvmdebug::agent::commands::array_reference
