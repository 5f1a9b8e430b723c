// SPDX-License-Identifier: Apache-2.0
#include "agent/jvm/agent_properties.h"

#include <utility>

namespace jvmdebug::agent::jvm {
namespace {

LocalRef<jobject> agent_properties(const Jni& jni) {
  const auto support = jni.find_class("jdk/internal/vm/VMSupport");
  if (!support) {
    return {};
  }
  const jmethodID getter =
      jni->GetStaticMethodID(support, "getAgentProperties", "()Ljava/util/Properties;");
  if (getter == nullptr) {
    return {};
  }
  auto properties = jni.adopt(jni->CallStaticObjectMethod(support, getter));
  return jni.clear_exception() ? jvm::LocalRef<jobject>() : std::move(properties);
}

bool change(const Jni& jni, std::string_view name, std::string_view value) {
  const auto properties = agent_properties(jni);
  const auto name_text = jni.new_string(name);
  const auto value_text = jni.new_string(value);
  if (!properties || !name_text || !value_text) {
    return false;
  }
  const auto type = jni.object_class(properties);
  const jmethodID set = jni->GetMethodID(
      type, "setProperty", "(Ljava/lang/String;Ljava/lang/String;)Ljava/lang/Object;");
  if (set == nullptr) {
    return false;
  }
  const auto previous =
      jni.adopt(jni->CallObjectMethod(properties.get(), set, name_text->get(), value_text->get()));
  return true;
}

bool remove(const Jni& jni, std::string_view name) {
  const auto properties = agent_properties(jni);
  const auto name_text = jni.new_string(name);
  if (!properties || !name_text) {
    return false;
  }
  const auto type = jni.object_class(properties);
  const jmethodID remove =
      jni->GetMethodID(type, "remove", "(Ljava/lang/Object;)Ljava/lang/Object;");
  if (remove == nullptr) {
    return false;
  }
  const auto previous =
      jni.adopt(jni->CallObjectMethod(properties.get(), remove, name_text->get()));
  return true;
}

}  // namespace

bool set_agent_property(const Jni& jni, std::string_view name, std::string_view value) {
  const bool changed = change(jni, name, value);
  return !jni.clear_exception() && changed;
}

bool remove_agent_property(const Jni& jni, std::string_view name) {
  const bool removed = remove(jni, name);
  return !jni.clear_exception() && removed;
}

}  // namespace jvmdebug::agent::jvm
