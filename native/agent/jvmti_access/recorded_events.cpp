// SPDX-License-Identifier: Apache-2.0
#include "agent/jvmti_access/recorded_events.h"

#include <algorithm>
#include <array>
#include <cstdarg>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include <jvmticmlr.h>

#include "agent/agent.h"
#include "agent/events/callback_guard.h"
#include "agent/jvm/newer_events.h"
#include "agent/jvm/strings.h"
#include "agent/jvmti_access/event_recorder.h"
#include "agent/jvmti_access/more_capabilities.h"
#include "agent/platform/dynamic_library.h"

namespace jvmdebug::agent::jvmti_access {
namespace {

constexpr std::size_t kMostInlined = 32;

// The common part of all callbacks. `body` makes the record.
template <class Body>
void recorded(jvmtiEnv* raw, std::string_view name, Body body) noexcept {
  const events::CallbackPresence present;
  EventRecorder* const recorder = EventRecorder::of(raw);
  if (recorder == nullptr) {
    return;
  }
  events::guard_callback(recorder->agent(), [&] {
    RecordedEvent event{.event = name};
    body(*recorder, event);
    recorder->record(std::move(event));
  });
}

jlong as_number(const void* address) {
  return static_cast<jlong>(reinterpret_cast<std::uintptr_t>(address));
}

std::string text_of(const char* modified) {
  return modified == nullptr ? std::string() : jvm::utf8_from_modified(modified);
}

// Returns the methods that are inlined into another one, each once.
std::vector<std::string> inlined_methods(const EventRecorder& recorder, jmethodID root,
                                         const void* compile_info) {
  std::vector<jmethodID> found;
  const auto* header = static_cast<const jvmtiCompiledMethodLoadRecordHeader*>(compile_info);
  for (; header != nullptr; header = header->next) {
    if (header->kind != JVMTI_CMLR_INLINE_INFO) {
      continue;
    }
    const auto* record = reinterpret_cast<const jvmtiCompiledMethodLoadInlineRecord*>(header);
    for (const PCStackInfo& place :
         std::span(record->pcinfo, static_cast<std::size_t>(record->numpcs))) {
      for (jmethodID const method :
           std::span(place.methods, static_cast<std::size_t>(place.numstackframes))) {
        if (found.size() < kMostInlined && method != root && method != nullptr &&
            std::ranges::find(found, method) == found.end()) {
          found.push_back(method);
        }
      }
    }
  }
  std::vector<std::string> names;
  names.reserve(found.size());
  for (jmethodID const method : found) {
    names.push_back(recorder.method_text(method));
  }
  return names;
}

void JNICALL compiled_method_load(jvmtiEnv* raw, jmethodID method, jint size, const void* address,
                                  jint /*map_length*/, const jvmtiAddrLocationMap* /*map*/,
                                  const void* compile_info) {
  recorded(raw, "CompiledMethodLoad", [&](const EventRecorder& recorder, RecordedEvent& event) {
    recorder.name_method(event, method);
    event.address = as_number(address);
    event.size = size;
    event.inlined = inlined_methods(recorder, method, compile_info);
  });
}

// The method may be unloaded; the address identifies it.
void JNICALL compiled_method_unload(jvmtiEnv* raw, jmethodID /*method*/, const void* address) {
  recorded(raw, "CompiledMethodUnload",
           [&](const EventRecorder& /*recorder*/, RecordedEvent& event) {
             event.address = as_number(address);
           });
}

void JNICALL dynamic_code_generated(jvmtiEnv* raw, const char* name, const void* address,
                                    jint size) {
  recorded(raw, "DynamicCodeGenerated",
           [&](const EventRecorder& /*recorder*/, RecordedEvent& event) {
             event.text = text_of(name);
             event.address = as_number(address);
             event.size = size;
           });
}

void JNICALL data_dump_request(jvmtiEnv* raw) {
  recorded(raw, "DataDumpRequest",
           [](const EventRecorder& /*recorder*/, const RecordedEvent& /*event*/) {});
}

void JNICALL native_method_bind(jvmtiEnv* raw, JNIEnv* /*jni*/, jthread thread, jmethodID method,
                                void* address, void** /*new_address*/) {
  recorded(raw, "NativeMethodBind", [&](const EventRecorder& recorder, RecordedEvent& event) {
    recorder.name_thread(event, thread);
    recorder.name_method(event, method);
    event.address = as_number(address);
    event.text = platform::library_with(address);
  });
}

void JNICALL resource_exhausted(jvmtiEnv* raw, JNIEnv* /*jni*/, jint flags,
                                const void* /*reserved*/, const char* description) {
  recorded(raw, "ResourceExhausted", [&](const EventRecorder& recorder, RecordedEvent& event) {
    recorder.name_thread(event, nullptr);
    event.text = text_of(description);
    event.size = flags;
  });
}

// Uses callback-safe functions only, because the VM is stopped.
void JNICALL collection_start(jvmtiEnv* raw) {
  recorded(raw, "GarbageCollectionStart",
           [](const EventRecorder& /*recorder*/, const RecordedEvent& /*event*/) {});
}

void JNICALL collection_finish(jvmtiEnv* raw) {
  recorded(raw, "GarbageCollectionFinish",
           [](const EventRecorder& /*recorder*/, const RecordedEvent& /*event*/) {});
}

void JNICALL vm_object_alloc(jvmtiEnv* raw, JNIEnv* /*jni*/, jthread thread, jobject /*object*/,
                             jclass type, jlong size) {
  recorded(raw, "VMObjectAlloc", [&](const EventRecorder& recorder, RecordedEvent& event) {
    recorder.name_thread(event, thread);
    recorder.name_class(event, type);
    event.size = size;
  });
}

void JNICALL class_load(jvmtiEnv* raw, JNIEnv* /*jni*/, jthread thread, jclass type) {
  recorded(raw, "ClassLoad", [&](const EventRecorder& recorder, RecordedEvent& event) {
    recorder.name_thread(event, thread);
    recorder.name_class(event, type);
  });
}

void JNICALL virtual_thread_start(jvmtiEnv* raw, JNIEnv* /*jni*/, jthread thread) {
  recorded(raw, "VirtualThreadStart", [&](const EventRecorder& recorder, RecordedEvent& event) {
    recorder.identify_thread(event, thread);
  });
}

void JNICALL virtual_thread_end(jvmtiEnv* raw, JNIEnv* /*jni*/, jthread thread) {
  recorded(raw, "VirtualThreadEnd", [&](const EventRecorder& recorder, RecordedEvent& event) {
    recorder.identify_thread(event, thread);
  });
}

// Reads the arguments that are texts or threads. An event without a thread may come while the VM is
// stopped, in some releases.
void read_arguments(const EventRecorder& recorder, const Extension& extension, va_list arguments,
                    RecordedEvent& event) {
  for (const ExtensionParameter& parameter : extension.parameters) {
    void* const value = va_arg(arguments, void*);
    if (value == nullptr) {
      continue;
    }
    if (parameter.type == JVMTI_TYPE_CCHAR && parameter.kind == JVMTI_KIND_IN_PTR) {
      event.text += (event.text.empty() ? "" : " ") + text_of(static_cast<const char*>(value));
    } else if (parameter.type == JVMTI_TYPE_JTHREAD && parameter.kind == JVMTI_KIND_IN) {
      recorder.identify_thread(event, static_cast<jthread>(value));
    }
  }
}

template <std::size_t kSlot>
void JNICALL extension_event(jvmtiEnv* raw, ...) {
  va_list arguments;  // NOLINT(cppcoreguidelines-init-variables): va_start does
  va_start(arguments, raw);
  const EventRecorder* const recorder = EventRecorder::of(raw);
  const Extension* const extension = recorder == nullptr ? nullptr : recorder->extension(kSlot);
  if (extension != nullptr) {
    recorded(raw, extension->id, [&](const EventRecorder& /*recorder*/, RecordedEvent& event) {
      read_arguments(*recorder, *extension, arguments, event);
    });
  }
  va_end(arguments);
}

template <std::size_t... kSlots>
constexpr auto extension_callbacks(std::index_sequence<kSlots...> /*slots*/) {
  return std::array<jvmtiExtensionEvent, sizeof...(kSlots)>{extension_event<kSlots>...};
}

using jvm::Capability;

constexpr std::array kKinds{
    EventKind{"ClassLoad", JVMTI_EVENT_CLASS_LOAD},
    EventKind{"CompiledMethodLoad", JVMTI_EVENT_COMPILED_METHOD_LOAD,
              kGenerateCompiledMethodLoadEvents},
    EventKind{"CompiledMethodUnload", JVMTI_EVENT_COMPILED_METHOD_UNLOAD,
              kGenerateCompiledMethodLoadEvents},
    EventKind{"DataDumpRequest", JVMTI_EVENT_DATA_DUMP_REQUEST},
    EventKind{"DynamicCodeGenerated", JVMTI_EVENT_DYNAMIC_CODE_GENERATED},
    EventKind{"GarbageCollectionFinish", JVMTI_EVENT_GARBAGE_COLLECTION_FINISH,
              Capability::kGenerateGarbageCollectionEvents},
    EventKind{"GarbageCollectionStart", JVMTI_EVENT_GARBAGE_COLLECTION_START,
              Capability::kGenerateGarbageCollectionEvents},
    EventKind{"NativeMethodBind", JVMTI_EVENT_NATIVE_METHOD_BIND, kGenerateNativeMethodBindEvents},
    EventKind{"ResourceExhausted", JVMTI_EVENT_RESOURCE_EXHAUSTED,
              kGenerateResourceExhaustionHeapEvents, kGenerateResourceExhaustionThreadsEvents},
    EventKind{"VirtualThreadEnd", jvm::kVirtualThreadEnd, Capability::kSupportVirtualThreads},
    EventKind{"VirtualThreadStart", jvm::kVirtualThreadStart, Capability::kSupportVirtualThreads},
    EventKind{"VMObjectAlloc", JVMTI_EVENT_VM_OBJECT_ALLOC, kGenerateVmObjectAllocEvents},
};

}  // namespace

std::span<const EventKind> event_kinds() {
  return kKinds;
}

jvm::Result<void> install_recording_callbacks(const jvm::Env& env) {
  jvmtiEventCallbacks all{};
  all.ClassLoad = class_load;
  all.CompiledMethodLoad = compiled_method_load;
  all.CompiledMethodUnload = compiled_method_unload;
  all.DataDumpRequest = data_dump_request;
  all.DynamicCodeGenerated = dynamic_code_generated;
  all.GarbageCollectionFinish = collection_finish;
  all.GarbageCollectionStart = collection_start;
  all.NativeMethodBind = native_method_bind;
  all.ResourceExhausted = resource_exhausted;
  all.VMObjectAlloc = vm_object_alloc;
  // The header of JDK 17 does not declare the members for virtual threads. The index of a member
  // is the event's number minus that of the first event; an older VM copies those that it knows.
  std::array<jvmtiEventThreadStart, jvm::kVirtualThreadEnd - JVMTI_MIN_EVENT_TYPE_VAL + 1> table{};
  static_assert(sizeof all <= sizeof table);
  std::memcpy(table.data(), &all, sizeof all);
  table.at(jvm::kVirtualThreadStart - JVMTI_MIN_EVENT_TYPE_VAL) = virtual_thread_start;
  table.at(jvm::kVirtualThreadEnd - JVMTI_MIN_EVENT_TYPE_VAL) = virtual_thread_end;
  return env.set_event_callbacks(*reinterpret_cast<const jvmtiEventCallbacks*>(table.data()),
                                 sizeof table);
}

jvmtiExtensionEvent extension_callback(std::size_t slot) {
  static constexpr auto kCallbacks =
      extension_callbacks(std::make_index_sequence<kMostExtensions>());
  return kCallbacks.at(slot);
}

}  // namespace jvmdebug::agent::jvmti_access
