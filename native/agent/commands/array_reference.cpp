// SPDX-License-Identifier: Apache-2.0
//
// Command set ArrayReference.
#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "agent/agent.h"
#include "agent/commands/generated/handlers.h"
#include "agent/commands/values.h"
#include "agent/jvm/assignability.h"
#include "codec/big_endian.h"
#include "codec/writer.h"

namespace jvmdebug::agent::commands::array_reference {

namespace wire = protocol::array_reference;

namespace {

using protocol::Tag;
using protocol::Value;

// The JNI functions that read and write regions of arrays of one primitive type.
template <class Element, class Array>
struct Primitive {
  void (JNIEnv::*get)(Array, jsize, jsize, Element*);
  void (JNIEnv::*set)(Array, jsize, jsize, const Element*);
};

// Calls `use` with the description of the primitive type; false when `tag` is not a primitive type.
template <class Use>
bool with_primitive(Tag tag, const Use& use) {
  switch (tag) {
    case Tag::kBoolean:
      use(Primitive<jboolean, jbooleanArray>{&JNIEnv::GetBooleanArrayRegion,
                                             &JNIEnv::SetBooleanArrayRegion});
      return true;
    case Tag::kByte:
      use(Primitive<jbyte, jbyteArray>{&JNIEnv::GetByteArrayRegion, &JNIEnv::SetByteArrayRegion});
      return true;
    case Tag::kChar:
      use(Primitive<jchar, jcharArray>{&JNIEnv::GetCharArrayRegion, &JNIEnv::SetCharArrayRegion});
      return true;
    case Tag::kShort:
      use(Primitive<jshort, jshortArray>{&JNIEnv::GetShortArrayRegion,
                                         &JNIEnv::SetShortArrayRegion});
      return true;
    case Tag::kInt:
      use(Primitive<jint, jintArray>{&JNIEnv::GetIntArrayRegion, &JNIEnv::SetIntArrayRegion});
      return true;
    case Tag::kLong:
      use(Primitive<jlong, jlongArray>{&JNIEnv::GetLongArrayRegion, &JNIEnv::SetLongArrayRegion});
      return true;
    case Tag::kFloat:
      use(Primitive<jfloat, jfloatArray>{&JNIEnv::GetFloatArrayRegion,
                                         &JNIEnv::SetFloatArrayRegion});
      return true;
    case Tag::kDouble:
      use(Primitive<jdouble, jdoubleArray>{&JNIEnv::GetDoubleArrayRegion,
                                           &JNIEnv::SetDoubleArrayRegion});
      return true;
    default:
      return false;
  }
}

// The unsigned integer type of the element's size, to convert its bytes.
template <class Element>
using Bits =
    std::tuple_element_t<std::countr_zero(sizeof(Element)),
                         std::tuple<std::uint8_t, std::uint16_t, std::uint32_t, std::uint64_t>>;

// Arrays are read and written in chunks, so that a big one is not copied as a whole.
constexpr jsize kPiece = 16384;

template <class Element, class Array>
std::vector<std::uint8_t> read_primitives(const jvm::Jni& jni, jarray array, jsize first,
                                          jsize length, const Primitive<Element, Array>& type) {
  std::vector<Element> piece(static_cast<std::size_t>(std::min(length, kPiece)));
  std::vector<std::uint8_t> bytes(static_cast<std::size_t>(length) * sizeof(Element));
  std::uint8_t* next = bytes.data();
  for (jsize done = 0; done < length;) {
    const jsize count = std::min(length - done, kPiece);
    (jni.raw()->*type.get)(static_cast<Array>(array), first + done, count, piece.data());
    for (const Element element : std::span(piece).first(static_cast<std::size_t>(count))) {
      const auto bits = codec::big_endian(std::bit_cast<Bits<Element>>(element));
      std::memcpy(next, &bits, sizeof bits);
      next += sizeof bits;
    }
    done += count;
  }
  return bytes;
}

template <class Element, class Array>
Result<void> write_primitives(const jvm::Jni& jni, jarray array, jsize first,
                              const protocol::RawValues& values,
                              const Primitive<Element, Array>& type) {
  const auto bytes = values.reader.rest();
  if (bytes.size() / sizeof(Element) < static_cast<std::size_t>(values.count)) {
    return fail(protocol::Error::kInternal);  // the packet ends before its values
  }
  std::vector<Element> piece(static_cast<std::size_t>(std::min<jsize>(values.count, kPiece)));
  const std::uint8_t* next = bytes.data();
  for (jsize done = 0; done < values.count;) {
    const jsize count = std::min(values.count - done, kPiece);
    for (Element& element : std::span(piece).first(static_cast<std::size_t>(count))) {
      Bits<Element> bits = 0;
      std::memcpy(&bits, next, sizeof bits);
      next += sizeof bits;
      bits = codec::big_endian(bits);
      if constexpr (std::is_same_v<Element, jboolean>) {
        bits = bits != 0 ? JNI_TRUE : JNI_FALSE;
      }
      element = std::bit_cast<Element>(bits);
    }
    (jni.raw()->*type.set)(static_cast<Array>(array), first + done, count, piece.data());
    done += count;
  }
  return {};
}

std::vector<std::uint8_t> read_objects(Agent& agent, const jvm::Jni& jni, jarray array, jsize first,
                                       jsize length) {
  constexpr std::size_t kTagAndId = 9;
  codec::Writer writer;
  writer.reserve(static_cast<std::size_t>(length) * kTagAndId);
  for (jsize index = 0; index < length; ++index) {
    const auto element =
        jni.adopt(jni->GetObjectArrayElement(static_cast<jobjectArray>(array), first + index));
    writer.write_tagged_object(agent.objects().tagged_id(element));
  }
  return writer.take();
}

// Returns the object of the next id in a request.
Result<jvm::LocalRef<jobject>> next_element(Agent& agent, codec::Reader& reader) {
  const Value value = reader.read_untagged(Tag::kObject);
  if (reader.failed()) {
    return fail(reader.error());
  }
  return agent.objects().object_or_null(value.as_object());
}

Result<void> write_objects(Agent& agent, const jvm::Jni& jni, jarray array, jclass type,
                           jsize first, const protocol::RawValues& values) {
  const auto component = jvm::component_type(agent.jvmti(), jni, type);
  if (!component) {
    return fail(protocol::Error::kInternal);
  }
  // Checks all elements before it stores the first, one by one, because local references to all of
  // them would be many.
  codec::Reader checked = values.reader;
  for (std::int32_t index = 0; index < values.count; ++index) {
    JVMDEBUG_ASSIGN(const auto element, next_element(agent, checked));
    if (!jni.instance_of(element, component)) {
      return fail(protocol::Error::kTypeMismatch);
    }
  }
  codec::Reader reader = values.reader;
  for (std::int32_t index = 0; index < values.count; ++index) {
    // The object may have been collected since it was checked; then the rest is not stored.
    JVMDEBUG_ASSIGN(const auto element, next_element(agent, reader));
    jni->SetObjectArrayElement(static_cast<jobjectArray>(array), first + index, element);
  }
  return jni.clear_exception() ? fail(protocol::Error::kTypeMismatch) : Result<void>();
}

Result<Tag> component_tag(const jvm::Env& env, jclass type) {
  JVMDEBUG_ASSIGN(const auto names, env.get_class_signature(type));
  return tag_of_signature(names.signature.view().substr(1));
}

// Checks a range: INVALID_INDEX or INVALID_LENGTH if it is not inside the array.
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
    reply.values.elements = read_primitives(jni, array, first, count, description);
  });
  if (!primitive) {
    reply.values.elements = read_objects(agent, jni, array, first, count);
  }
  reply.values.count = count;
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
    outcome = write_primitives(jni, array, first, request.values, description);
  });
  return primitive ? outcome : write_objects(agent, jni, array, type, first, request.values);
}

}  // namespace jvmdebug::agent::commands::array_reference
