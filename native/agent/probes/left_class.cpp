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
    auto type = jni.adopt(raw);  // each is to be given back
    const auto signature = found ? jvm::Result<jvm::ModifiedUtf8>(std::unexpected(jvm::Error{}))
                                 : env.get_class_signature_only(type);
    if (signature && signature->view() == wanted) {
      found = std::move(type);
    }
  }
  return found;
}

}  // namespace jvmdebug::agent::probes
