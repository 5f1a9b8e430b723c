// SPDX-License-Identifier: Apache-2.0
#include "agent/jvm/redefinitions.h"

namespace jvmdebug::agent::jvm {

std::optional<jint> redefinitions_of(const Jni& jni, jclass type) {
  const auto class_class = jni.adopt(jni->GetObjectClass(type));
  auto* const count = jni->GetFieldID(class_class, "classRedefinedCount", "I");
  if (jni.clear_exception() || count == nullptr) {
    return std::nullopt;
  }
  return jni->GetIntField(type, count);
}

}  // namespace jvmdebug::agent::jvm
