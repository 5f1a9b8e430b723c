// SPDX-License-Identifier: Apache-2.0
#include "agent/jvm/carried_threads.h"

namespace jvmdebug::agent::jvm {

CarriedThreads::CarriedThreads(const Env& env) : env_(env) {
  if (env.has(Capability::kSupportVirtualThreads)) {
    function_ =
        env.get_extension_function("com.sun.hotspot.functions.GetVirtualThread").value_or(nullptr);
  }
}

LocalRef<jthread> CarriedThreads::carried_by(const Jni& jni, jthread carrier) const {
  if (function_ == nullptr) {
    return {};
  }
  return jni.adopt(env_.ask_extension_function(function_, carrier).value_or(nullptr));
}

}  // namespace jvmdebug::agent::jvm
