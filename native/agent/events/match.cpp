// SPDX-License-Identifier: Apache-2.0
#include "agent/events/match.h"

#include <utility>

#include "agent/events/event_request.h"

namespace jvmdebug::agent::events {

jclass Match::type() {
  if (!type_) {
    type_ = occurrence_.type;
    if (*type_ == nullptr && occurrence_.method != nullptr) {
      // A local reference of the event callback.
      type_ = env_.get_method_declaring_class(occurrence_.method).value_or(nullptr);
    }
  }
  return *type_;
}

const std::string& Match::type_name() {
  if (!std::exchange(type_name_known_, true)) {
    if (!occurrence_.signature.empty()) {
      type_name_ = name_of_signature(occurrence_.signature);
    } else if (type() != nullptr) {
      if (const auto names = env_.get_class_signature(type())) {
        type_name_ = name_of_signature(names->signature.view());
      }
    }
  }
  return type_name_;
}

bool Match::instance_is(jobject object) {
  const bool of_field = occurrence_.kind == protocol::EventKind::kFieldAccess ||
                        occurrence_.kind == protocol::EventKind::kFieldModification;
  if (of_field) {
    return occurrence_.object == nullptr || jni_.same(occurrence_.object, object);
  }
  constexpr jint kStatic = 0x0008;
  if (occurrence_.method == nullptr ||
      (env_.get_method_modifiers(occurrence_.method).value_or(kStatic) & kStatic) != 0) {
    return true;
  }
  const auto instance = env_.get_local_instance(nullptr, occurrence_.depth);
  if (!instance) {
    return true;
  }
  const auto owned = jni_.adopt(*instance);
  return jni_.same(owned, object);
}

bool Match::lets_stop(const threads::Step& step) {
  const auto request = step.request.lock();
  return request && request->matches_type(*this);
}

std::string name_of_signature(std::string_view signature) {
  if (signature.starts_with('L') && signature.ends_with(';')) {
    signature = signature.substr(1, signature.size() - 2);
  }
  std::string name(signature);
  for (char& character : name) {
    if (character == '/') {
      character = '.';
    } else if (character == '.') {
      character = '/';
    }
  }
  return name;
}

bool matches_pattern(std::string_view text, std::string_view pattern) {
  if (pattern.starts_with('*')) {
    return text.ends_with(pattern.substr(1));
  }
  if (pattern.ends_with('*')) {
    return text.starts_with(pattern.substr(0, pattern.size() - 1));
  }
  return text == pattern;
}

}  // namespace jvmdebug::agent::events
