// SPDX-License-Identifier: Apache-2.0
#include "agent/jvm/assignability.h"

#include <string>
#include <string_view>
#include <utility>

namespace jvmdebug::agent::jvm {
namespace {

constexpr std::string_view kObjectSignature = "Ljava/lang/Object;";

std::string signature_of(const Env& env, jclass type) {
  const auto names = env.get_class_signature(type);
  return names ? std::string(names->signature.view()) : std::string();
}

// Reads the parent of a loader from its field; the method would run Java code and check
// permissions.
LocalRef<jobject> parent_loader(const Jni& jni, jobject loader) {
  const auto base = jni.find_class("java/lang/ClassLoader");
  if (!base) {
    return {};
  }
  auto* const field = jni->GetFieldID(base, "parent", "Ljava/lang/ClassLoader;");
  if (jni.clear_exception() || field == nullptr) {
    return {};
  }
  return jni.adopt(jni->GetObjectField(loader, field));
}

bool is_above(const Jni& jni, jobject from, jobject wanted) {
  for (auto loader = parent_loader(jni, from); loader; loader = parent_loader(jni, loader)) {
    if (jni.same(loader, wanted)) {
      return true;
    }
  }
  return wanted == nullptr;  // the bootstrap loader is above all
}

// Whether the loader asks its parent first. Loaders of the JDK do; a program's loader may prefer
// its own classes.
bool asks_above_first(const Env& env, const Jni& jni, jobject loader) {
  const auto own = env.get_class_loader(jni.object_class(loader));
  return own && !jni.adopt(*own);
}

// The class to which the loader `from` has resolved the name; null if no code of it has needed the
// name yet.
LocalRef<jclass> resolved(const Env& env, const Jni& jni, jobject from, std::string_view name) {
  LocalRef<jclass> found;
  const auto known = env.get_class_loader_classes(from);
  for (auto* const raw : known ? known->span() : std::span<jclass>()) {
    auto candidate = jni.adopt(raw);
    if (!found && signature_of(env, candidate) == name) {
      found = std::move(candidate);
    }
  }
  return found;
}

// Whether code of the loader `from` resolves `name`, the name of `type`, to exactly `type`. False
// in case of doubt: the VM trusts us and would mix up two classes.
bool sees(const Env& env, const Jni& jni, jobject from, jclass type, std::string_view name) {
  const auto raw = env.get_class_loader(type);
  if (!raw) {
    return false;
  }
  const auto defining = jni.adopt(*raw);
  if (jni.same(defining, from) || (!defining && name.starts_with("Ljava/"))) {
    return true;  // no other loader may define classes in java.*
  }
  if (from == nullptr) {
    return false;
  }
  if (const auto meant = resolved(env, jni, from, name)) {
    return jni.same(meant, type);
  }
  return asks_above_first(env, jni, from) && is_above(jni, from, defining);
}

// Whether `type` or one of its supertypes has the signature and is the class to which `loader`
// resolves it.
bool has_supertype(const Env& env, const Jni& jni, jclass type, std::string_view signature,
                   jobject loader) {
  for (auto current = jni.local(type); current; current = jni.superclass(current)) {
    if (signature_of(env, current) == signature && sees(env, jni, loader, current, signature)) {
      return true;
    }
    const auto interfaces = env.get_implemented_interfaces(current);
    bool found = false;
    for (auto* const raw : interfaces ? interfaces->span() : std::span<jclass>()) {
      const auto interface = jni.adopt(raw);
      found = found || has_supertype(env, jni, interface, signature, loader);
    }
    if (found) {
      return true;
    }
  }
  return false;
}

bool class_assignable(const Env& env, const Jni& jni, jclass from, std::string_view to,
                      jobject loader) {
  const std::string own = signature_of(env, from);
  if (own.empty() || to.empty()) {
    return false;
  }
  if (own.size() == 1) {
    return own == to;  // a primitive component
  }
  if (to == kObjectSignature) {
    return true;
  }
  if (own.front() == '[') {
    if (to.front() != '[') {
      return to == "Ljava/lang/Cloneable;" || to == "Ljava/io/Serializable;";
    }
    const auto component = component_type(env, jni, from);
    return component && class_assignable(env, jni, component, to.substr(1), loader);
  }
  return to.front() == 'L' && has_supertype(env, jni, from, to, loader);
}

}  // namespace

bool assignable(const Env& env, const Jni& jni, jobject object, std::string_view signature,
                jclass context) {
  if (object == nullptr) {
    return true;
  }
  const auto type = jni.object_class(object);
  const auto raw = env.get_class_loader(context);
  if (!raw) {
    return false;
  }
  const auto loader = jni.adopt(*raw);
  return class_assignable(env, jni, type, signature, loader);
}

LocalRef<jclass> component_type(const Env& env, const Jni& jni, jclass array_class) {
  if (!env.is_array_class(array_class).value_or(false)) {
    return {};
  }
  const auto class_class = jni.object_class(array_class);
  auto* const field = jni->GetFieldID(class_class, "componentType", "Ljava/lang/Class;");
  if (jni.clear_exception() || field == nullptr) {
    return {};
  }
  return jni.adopt(static_cast<jclass>(jni->GetObjectField(array_class, field)));
}

}  // namespace jvmdebug::agent::jvm
