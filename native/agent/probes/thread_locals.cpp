// SPDX-License-Identifier: Apache-2.0
#include "agent/probes/thread_locals.h"

namespace jvmdebug::agent::probes {
namespace {

jfieldID field_of(const jvm::Jni& jni, const char* type, const char* name, const char* signature) {
  const auto found = jni.find_class(type);
  const jfieldID field = found ? jni->GetFieldID(found, name, signature) : nullptr;
  return jni.clear_exception() ? nullptr : field;
}

}  // namespace

bool ThreadLocals::make(const jvm::Jni& jni) {
  map_ =
      field_of(jni, "java/lang/Thread", "threadLocals", "Ljava/lang/ThreadLocal$ThreadLocalMap;");
  table_ = field_of(jni, "java/lang/ThreadLocal$ThreadLocalMap", "table",
                    "[Ljava/lang/ThreadLocal$ThreadLocalMap$Entry;");
  value_ =
      field_of(jni, "java/lang/ThreadLocal$ThreadLocalMap$Entry", "value", "Ljava/lang/Object;");
  key_ = field_of(jni, "java/lang/ref/Reference", "referent", "Ljava/lang/Object;");
  return map_ != nullptr && table_ != nullptr && value_ != nullptr && key_ != nullptr;
}

jvm::LocalRef<jobject> ThreadLocals::value(const jvm::Jni& jni, jobject thread,
                                           jobject thread_local_) const {
  const auto map = jni.adopt(jni->GetObjectField(thread, map_));
  const auto table = map ? jni.adopt(static_cast<jobjectArray>(jni->GetObjectField(map, table_)))
                         : jvm::LocalRef<jobjectArray>();
  const jsize length = table ? jni->GetArrayLength(table) : 0;
  for (jsize index = 0; index < length; ++index) {
    const auto entry = jni.adopt(jni->GetObjectArrayElement(table, index));
    if (entry && jni.same(jni.adopt(jni->GetObjectField(entry, key_)), thread_local_)) {
      return jni.adopt(jni->GetObjectField(entry, value_));
    }
  }
  return {};
}

}  // namespace jvmdebug::agent::probes
