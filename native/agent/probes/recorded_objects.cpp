// SPDX-License-Identifier: Apache-2.0
#include "agent/probes/recorded_objects.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace jvmdebug::agent::probes {
namespace {

constexpr std::int8_t kOther = 4;
constexpr std::int8_t kBox = 5;
constexpr std::int8_t kEnum = 6;
constexpr std::int8_t kArray = 7;

struct Box {
  std::string_view signature;
  char letter;
};

constexpr std::array<Box, 8> kBoxes = {{{.signature = "Ljava/lang/Boolean;", .letter = 'Z'},
                                        {.signature = "Ljava/lang/Byte;", .letter = 'B'},
                                        {.signature = "Ljava/lang/Character;", .letter = 'C'},
                                        {.signature = "Ljava/lang/Short;", .letter = 'S'},
                                        {.signature = "Ljava/lang/Integer;", .letter = 'I'},
                                        {.signature = "Ljava/lang/Long;", .letter = 'J'},
                                        {.signature = "Ljava/lang/Float;", .letter = 'F'},
                                        {.signature = "Ljava/lang/Double;", .letter = 'D'}}};

std::int64_t bits(const jvm::Jni& jni, jobject box, jfieldID field, char letter) {
  switch (letter) {
    case 'Z':
      return jni->GetBooleanField(box, field) != JNI_FALSE ? 1 : 0;
    case 'B':
      return jni->GetByteField(box, field);
    case 'C':
      return jni->GetCharField(box, field);
    case 'S':
      return jni->GetShortField(box, field);
    case 'I':
      return jni->GetIntField(box, field);
    case 'F':
      return std::bit_cast<std::int32_t>(jni->GetFloatField(box, field));
    case 'D':
      return std::bit_cast<std::int64_t>(jni->GetDoubleField(box, field));
    default:
      return jni->GetLongField(box, field);
  }
}

// Returns the value of a box, or none for any other object.
std::optional<std::int64_t> unboxed(const jvm::Jni& jni, const jvm::LocalRef<jobject>& object,
                                    jclass type, char letter) {
  const std::string descriptor(1, letter);
  const jfieldID field = jni->GetFieldID(type, "value", descriptor.c_str());
  if (jni.clear_exception() || field == nullptr) {
    return std::nullopt;
  }
  return bits(jni, object.get(), field, letter);
}

}  // namespace

bool RecordedObjects::make(const jvm::Jni& jni) {
  const auto type = jni.find_class("java/lang/Enum");
  name_ = type ? jni->GetFieldID(type, "name", "Ljava/lang/String;") : nullptr;
  if (jni.clear_exception() || name_ == nullptr) {
    return false;
  }
  enum_ = jni.global(type.get());
  return true;
}

void RecordedObjects::write(const jvm::Env& env, const jvm::LocalRef<jobject>& object,
                            codec::Writer& writer) const {
  const jvm::Jni jni = env.jni();
  const auto type = jni.object_class(object);
  const auto found = env.get_class_signature_only(type);
  const std::string signature = found ? found->utf8() : std::string();
  const auto* const box = std::ranges::find(kBoxes, signature, &Box::signature);
  if (box != kBoxes.end()) {
    if (const auto value = unboxed(jni, object, type, box->letter)) {
      writer.write_byte(kBox);
      writer.write_byte(static_cast<std::int8_t>(box->letter));
      writer.write_long(*value);
      return;
    }
  }
  if (jni.instance_of(object, enum_)) {
    const auto name = jni.adopt(jni->GetObjectField(object.get(), name_));
    auto* const text = static_cast<jstring>(name.get());
    if (text != nullptr) {
      writer.write_byte(kEnum);
      writer.write_string(signature);
      writer.write_string(jni.text(text, jni->GetStringLength(text)));
      return;
    }
  }
  const bool is_array = signature.starts_with('[');
  writer.write_byte(is_array ? kArray : kOther);
  writer.write_int(env.get_object_hash_code(object).value_or(0));
  writer.write_string(signature);
  if (is_array) {
    writer.write_int(jni->GetArrayLength(static_cast<jarray>(object.get())));
  }
}

}  // namespace jvmdebug::agent::probes
