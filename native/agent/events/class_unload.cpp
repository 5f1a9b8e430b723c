// SPDX-License-Identifier: Apache-2.0
#include "agent/events/class_unload.h"

#include <string_view>

#include "agent/agent.h"
#include "agent/events/composer.h"

namespace jvmdebug::agent::events {
namespace {

constexpr std::string_view kClassUnload = "com.sun.hotspot.events.ClassUnload";

// HotSpot calls it on its service thread with the class's name in internal form.
void JNICALL on_class_unload(jvmtiEnv* raw, JNIEnv* jni, const char* name, ...) {
  Agent::of(raw).composer().class_unloaded(jvm::Jni(jni), name);
}

// What HotSpot allocates with an event description.
void release(jvmtiEnv* raw, const jvmtiExtensionEventInfo& event) {
  const auto give_back = [raw](void* memory) {
    (void)raw->Deallocate(static_cast<unsigned char*>(memory));
  };
  for (jint index = 0; index < event.param_count; ++index) {
    give_back(event.params[index].name);
  }
  give_back(event.params);
  give_back(event.id);
  give_back(event.short_description);
}

}  // namespace

jvm::Result<void> watch_class_unload(const jvm::Env& env) {
  jint count = 0;
  jvmtiExtensionEventInfo* events = nullptr;
  JVMDEBUG_CHECK(jvm::checked(env.raw()->GetExtensionEvents(&count, &events)));
  const jvm::Buffer<jvmtiExtensionEventInfo> all(env.raw(), events,
                                                 static_cast<std::size_t>(count));
  jvmtiError outcome = JVMTI_ERROR_NOT_AVAILABLE;
  for (const jvmtiExtensionEventInfo& event : all) {
    if (event.id == kClassUnload) {
      outcome = env.raw()->SetExtensionEventCallback(
          event.extension_event_index, reinterpret_cast<jvmtiExtensionEvent>(on_class_unload));
    }
    release(env.raw(), event);
  }
  return jvm::checked(outcome);
}

}  // namespace jvmdebug::agent::events
