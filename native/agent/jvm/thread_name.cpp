// SPDX-License-Identifier: Apache-2.0
#include "agent/jvm/thread_name.h"

#include "agent/jvm/jni.h"

namespace jvmdebug::agent::jvm {
namespace {

// What Thread.threadId() returns; 0 where a thread has no such field.
jlong number_of(const Jni& jni, jthread thread) {
  const auto type = jni.object_class(thread);
  const jfieldID field = jni.raw()->GetFieldID(type, "tid", "J");
  return jni.clear_exception() || field == nullptr ? 0 : jni.raw()->GetLongField(thread, field);
}

std::string without_name(const Jni& jni, jthread thread) {
  const std::string type = jni.is_virtual_thread(thread) ? "VirtualThread" : "Thread";
  return type + "[#" + std::to_string(number_of(jni, thread)) + "]";
}

}  // namespace

Result<std::string> shown_name(const Env& env, jthread thread) {
  JVMDEBUG_ASSIGN(const auto record, env.get_thread_info(thread));
  const Jni jni = env.jni();
  (void)jni.adopt(record.group);
  (void)jni.adopt(record.context_class_loader);
  if (!record.name.view().empty()) {
    return record.name.utf8();
  }
  if (thread != nullptr) {
    return without_name(jni, thread);
  }
  JVMDEBUG_ASSIGN(jthread current, env.get_current_thread());
  return without_name(jni, jni.adopt(current));
}

}  // namespace jvmdebug::agent::jvm
