// SPDX-License-Identifier: Apache-2.0
#include "agent/jvm/stop_error.h"

#include <expected>

namespace jvmdebug::agent::jvm {

Result<LocalRef<jobject>> make_stop_error(const Jni& jni) {
  for (const char* const name : {"java/lang/ThreadDeath", "java/lang/Error"}) {
    const auto type = jni.find_class(name);
    (void)jni.clear_exception();
    const jmethodID constructor = type ? jni->GetMethodID(type, "<init>", "()V") : nullptr;
    auto made = jni.adopt(constructor == nullptr ? nullptr : jni->NewObject(type, constructor));
    if (!jni.clear_exception() && made) {
      return made;
    }
  }
  return std::unexpected(Error{JVMTI_ERROR_OUT_OF_MEMORY});
}

}  // namespace jvmdebug::agent::jvm
