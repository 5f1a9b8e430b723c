// SPDX-License-Identifier: Apache-2.0
#include "agent/ids/method_ids.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace jvmdebug::agent::ids {

protocol::MethodId MethodIds::id(jmethodID method, jclass declaring) {
  if (method == nullptr || env_.is_method_obsolete(method).value_or(true)) {
    return {};
  }
  const jvm::Lock lock(objects_.monitor());
  sweep_if_grown();
  by_class_[objects_.key(declaring)].ids.insert(method);
  return protocol::MethodId{reinterpret_cast<std::uintptr_t>(method)};
}

Result<jmethodID> MethodIds::resolve(jclass type, protocol::MethodId id) {
  // Only compared with known methods, so an invalid value is never dereferenced.
  const auto method = std::bit_cast<jmethodID>(static_cast<std::uintptr_t>(id.raw));
  JVMDEBUG_ASSIGN(const bool found, declares(type, method));
  if (!found) {
    return fail(protocol::Error::kInvalidMethodid);
  }
  return method;
}

Result<jmethodID> MethodIds::resolve_static(jclass type, protocol::MethodId id) {
  const jvm::Jni jni = env_.jni();
  for (auto current = jni.local(type); current; current = jni.superclass(current)) {
    if (const auto method = resolve(current, id)) {
      return method;
    }
  }
  return fail(protocol::Error::kInvalidMethodid);
}

Result<jmethodID> MethodIds::resolve_inherited(jclass type, protocol::MethodId id) {
  const jvm::Jni jni = env_.jni();
  for (auto current = jni.local(type); current; current = jni.superclass(current)) {
    if (const auto method = resolve(current, id)) {
      return method;
    }
    const auto interfaces = env_.get_implemented_interfaces(current);
    if (!interfaces) {
      continue;  // not prepared: none of its method ids was sent
    }
    for (auto* const raw : *interfaces) {
      const auto interface = jni.adopt(raw);
      if (const auto method = resolve_inherited(interface, id)) {
        return method;
      }
    }
  }
  return fail(protocol::Error::kInvalidMethodid);
}

Result<bool> MethodIds::declares(jclass type, jmethodID method) {
  const jvm::Lock lock(objects_.monitor());
  sweep_if_grown();
  const std::uint64_t key = objects_.key(type);
  Methods& methods = by_class_[key];
  if (methods.ids.contains(method)) {
    return true;
  }
  if (methods.complete) {
    return false;
  }
  const auto listed = env_.get_class_methods(type);
  if (!listed) {
    if (listed.error() == JVMTI_ERROR_CLASS_NOT_PREPARED) {
      return false;
    }
    return fail(listed.error());
  }
  methods.ids.insert(listed->begin(), listed->end());
  methods.complete = true;
  return methods.ids.contains(method);
}

void MethodIds::forget(jclass type) {
  const jvm::Lock lock(objects_.monitor());
  by_class_.erase(objects_.key(type));
}

void MethodIds::clear() {
  const jvm::Lock lock(objects_.monitor());
  by_class_.clear();
}

void MethodIds::sweep_if_grown() {
  if (by_class_.size() < sweep_at_) {
    return;
  }
  std::erase_if(by_class_, [&](const auto& item) { return !objects_.is_alive(item.first); });
  sweep_at_ = std::max<std::size_t>(256, by_class_.size() * 2);
}

}  // namespace jvmdebug::agent::ids
