// SPDX-License-Identifier: Apache-2.0
#include "agent/threads/arguments.h"

#include <utility>

#include "agent/jvm/assignability.h"
#include "agent/jvm/result.h"

namespace jvmdebug::agent::threads {
namespace {

// Removes the type at the beginning of `text` and returns it.
std::string next_type(std::string_view& text) {
  std::size_t size = text.find_first_not_of('[');
  if (size == std::string_view::npos) {
    return std::string(std::exchange(text, {}));
  }
  if (text[size] == 'L') {
    size = std::min(text.find(';', size), text.size() - 1);
  }
  std::string type(text.substr(0, size + 1));
  text.remove_prefix(size + 1);
  return type;
}

bool is_reference(std::string_view type) {
  return type.starts_with('L') || type.starts_with('[');
}

}  // namespace

jvalue java_value(const protocol::Value& value, jobject object) {
  jvalue result{};
  switch (value.tag) {
    case protocol::Tag::kBoolean:
      result.z = value.as_boolean() ? JNI_TRUE : JNI_FALSE;
      break;
    case protocol::Tag::kByte:
      result.b = value.as_byte();
      break;
    case protocol::Tag::kChar:
      result.c = value.as_char();
      break;
    case protocol::Tag::kShort:
      result.s = value.as_short();
      break;
    case protocol::Tag::kInt:
      result.i = value.as_int();
      break;
    case protocol::Tag::kLong:
      result.j = value.as_long();
      break;
    case protocol::Tag::kFloat:
      result.f = value.as_float();
      break;
    case protocol::Tag::kDouble:
      result.d = value.as_double();
      break;
    default:
      result.l = object;
      break;
  }
  return result;
}

Descriptor parse_descriptor(std::string_view descriptor) {
  Descriptor parsed;
  const auto close = descriptor.find(')');
  if (!descriptor.starts_with('(') || close == std::string_view::npos) {
    return parsed;
  }
  for (auto rest = descriptor.substr(1, close - 1); !rest.empty();) {
    parsed.parameters.push_back(next_type(rest));
  }
  parsed.return_type = descriptor.substr(close + 1);
  return parsed;
}

Result<Arguments> check_arguments(const jvm::Env& env, ids::ObjectTable& objects, jclass declaring,
                                  const Descriptor& descriptor,
                                  std::span<const protocol::Value> given) {
  if (given.size() != descriptor.parameters.size()) {
    return fail(protocol::Error::kIllegalArgument);
  }
  const jvm::Jni jni = env.jni();
  Arguments arguments;
  for (std::size_t index = 0; index < given.size(); ++index) {
    const protocol::Value& value = given[index];
    const std::string& type = descriptor.parameters[index];
    if (!is_reference(type)) {
      if (static_cast<char>(value.tag) != type.front()) {
        return fail(protocol::Error::kTypeMismatch);
      }
      arguments.values.push_back(java_value(value, nullptr));
      continue;
    }
    if (!protocol::is_object(value.tag)) {
      return fail(protocol::Error::kTypeMismatch);
    }
    JVMDEBUG_ASSIGN(const auto object, objects.object_or_null(value.as_object()));
    if (!jvm::assignable(env, jni, object, type, declaring)) {
      return fail(protocol::Error::kTypeMismatch);
    }
    arguments.references.push_back(jni.global(object.get()));
    arguments.values.push_back({.l = arguments.references.back()});
  }
  return arguments;
}

}  // namespace jvmdebug::agent::threads
