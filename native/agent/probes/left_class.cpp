// SPDX-License-Identifier: Apache-2.0
#include "agent/probes/left_class.h"

#include <string>
#include <utility>

namespace jvmdebug::agent::probes {

jvm::LocalRef<jclass> left_class(const jvm::Env& env, const jvm::Jni& jni,
                                 std::string_view internal_name) {
  const std::string wanted = "L" + std::string(internal_name) + ";";
  jvm::LocalRef<jclass> found;
  const auto types = env.get_class_loader_classes(nullptr);
  if (!types) {
    return found;
  }
  for (jclass const raw : *types) {
    auto type = jni.adopt(raw);  // each is a local reference of its own
    const auto signature = found ? jvm::Result<jvm::ModifiedUtf8>(std::unexpected(jvm::Error{}))
                                 : env.get_class_signature_only(type);
    if (signature && signature->view() == wanted) {
      found = std::move(type);
    }
  }
  return found;
}

std::expected<jvm::LocalRef<jclass>, std::string> define_class(
    const jvm::Jni& jni, const char* name, jobject loader,
    std::span<const std::uint8_t> class_file) {
  if (class_file.empty()) {  // DefineClass of JDK 11 crashes
    return std::unexpected("the class of the check has no bytes");
  }
  auto defined =
      jni.adopt(jni->DefineClass(name, loader, reinterpret_cast<const jbyte*>(class_file.data()),
                                 static_cast<jsize>(class_file.size())));
  if (jni.clear_exception() || !defined) {
    return std::unexpected("the VM refuses the class of the check");
  }
  return defined;
}

std::expected<jvm::LocalRef<jclass>, std::string> left_or_defined(
    const jvm::Env& env, const jvm::Jni& jni, const char* internal_name,
    std::span<const std::uint8_t> class_file) {
  if (auto left = left_class(env, jni, internal_name)) {
    return left;
  }
  return define_class(jni, internal_name, nullptr, class_file);
}

}  // namespace jvmdebug::agent::probes
