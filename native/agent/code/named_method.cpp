// SPDX-License-Identifier: Apache-2.0
#include "agent/code/named_method.h"

#include <algorithm>
#include <cstdint>

#include "codec/reader.h"

namespace jvmdebug::agent::code {

jvm::LocalRef<jclass> declaring_class(const jvm::Env& env, const jvm::Jni& jni, jmethodID method) {
  const auto type = env.get_method_declaring_class(method);
  return type ? jni.adopt(*type) : jvm::LocalRef<jclass>();
}

std::optional<classfile::MemberReference> member_named(const jvm::Env& env, jclass type,
                                                       const unsigned char* instruction) {
  const auto raw = env.get_constant_pool(type);
  if (!raw) {
    return std::nullopt;
  }
  codec::Reader reader(raw->bytes.span());
  const auto pool =
      classfile::ConstantPool::read(reader, static_cast<std::size_t>(raw->entry_count));
  constexpr std::size_t kByte = 256;
  return pool ? pool->member(instruction[1] * kByte + instruction[2]) : std::nullopt;
}

bool is_named(const jvm::Env& env, jmethodID method, const classfile::MemberReference& wanted) {
  const auto names = env.get_method_name(method);
  return names && names->name.view() == wanted.name && names->signature.view() == wanted.descriptor;
}

jmethodID declared_method(const jvm::Env& env, jclass type,
                          const classfile::MemberReference& wanted) {
  const auto methods = env.get_class_methods(type);
  if (!methods) {
    return nullptr;
  }
  const auto* const found =
      std::ranges::find_if(*methods, [&](jmethodID each) { return is_named(env, each, wanted); });
  return found == methods->end() ? nullptr : *found;
}

}  // namespace jvmdebug::agent::code
