// SPDX-License-Identifier: Apache-2.0
//
// JVM TI of the fake VM: the table, the environment itself, memory, events, raw monitors.
#include <cstdio>
#include <cstring>
#include <utility>

#include "tests/fake_vm/vm.h"

namespace jvmdebug::fake {
namespace {

struct RawMonitor {
  std::recursive_mutex mutex;
};

Environment& own(jvmtiEnv* env) {
  return *static_cast<Environment*>(env);
}

jvmtiError JNICALL dispose_environment(jvmtiEnv* env) {
  const Entry entry(env, "DisposeEnvironment");
  entry.vm.dispose(own(env));
  return JVMTI_ERROR_NONE;
}

jvmtiError JNICALL get_version_number(jvmtiEnv* env, jint* version) {
  const Entry entry(env, "GetVersionNumber");
  *version = entry.vm.feature_version() << JVMTI_VERSION_SHIFT_MAJOR;
  return JVMTI_ERROR_NONE;
}

jvmtiError JNICALL get_phase(jvmtiEnv* env, jvmtiPhase* phase) {
  const Entry entry(env, "GetPhase");
  *phase = JVMTI_PHASE_LIVE;
  return JVMTI_ERROR_NONE;
}

jvmtiError JNICALL allocate(jvmtiEnv* env, jlong size, unsigned char** memory) {
  const Entry entry(env, "Allocate");
  *memory = entry.vm.allocate(static_cast<std::size_t>(size));
  return JVMTI_ERROR_NONE;
}

jvmtiError JNICALL deallocate(jvmtiEnv* env, unsigned char* memory) {
  const Entry entry(env, "Deallocate");
  entry.vm.deallocate(memory);
  return JVMTI_ERROR_NONE;
}

jvmtiError JNICALL get_potential_capabilities(jvmtiEnv* env, jvmtiCapabilities* capabilities) {
  const Entry entry(env, "GetPotentialCapabilities");
  std::array<unsigned char, sizeof(jvmtiCapabilities)> bytes{};
  constexpr std::size_t kKnownBytes = 6;
  for (std::size_t index = 0; index < kKnownBytes; ++index) {
    bytes.at(index) = 0xff;
  }
  constexpr jint kVirtualThreadsSince = 21;
  if (entry.vm.feature_version() < kVirtualThreadsSince) {
    bytes.at(kKnownBytes - 1) = 0x0f;
  }
  std::memcpy(capabilities, bytes.data(), sizeof *capabilities);
  return JVMTI_ERROR_NONE;
}

jvmtiError JNICALL get_capabilities(jvmtiEnv* env, jvmtiCapabilities* capabilities) {
  const Entry entry(env, "GetCapabilities");
  *capabilities = own(env).capabilities;
  return JVMTI_ERROR_NONE;
}

jvmtiError JNICALL add_capabilities(jvmtiEnv* env, const jvmtiCapabilities* capabilities) {
  const Entry entry(env, "AddCapabilities");
  std::array<unsigned char, sizeof(jvmtiCapabilities)> have{};
  std::array<unsigned char, sizeof(jvmtiCapabilities)> more{};
  std::memcpy(have.data(), &own(env).capabilities, sizeof have);
  std::memcpy(more.data(), capabilities, sizeof more);
  for (std::size_t index = 0; index < have.size(); ++index) {
    have.at(index) |= more.at(index);
  }
  std::memcpy(&own(env).capabilities, have.data(), sizeof have);
  return JVMTI_ERROR_NONE;
}

jvmtiError JNICALL relinquish_capabilities(jvmtiEnv* env, const jvmtiCapabilities* capabilities) {
  const Entry entry(env, "RelinquishCapabilities");
  std::array<unsigned char, sizeof(jvmtiCapabilities)> have{};
  std::array<unsigned char, sizeof(jvmtiCapabilities)> less{};
  std::memcpy(have.data(), &own(env).capabilities, sizeof have);
  std::memcpy(less.data(), capabilities, sizeof less);
  for (std::size_t index = 0; index < have.size(); ++index) {
    have.at(index) &= static_cast<unsigned char>(~less.at(index));
  }
  std::memcpy(&own(env).capabilities, have.data(), sizeof have);
  return JVMTI_ERROR_NONE;
}

// No sample is ever taken.
jvmtiError JNICALL set_sampling_interval(jvmtiEnv* env, jint interval) {
  const Entry entry(env, "SetHeapSamplingInterval");
  return interval < 0 ? JVMTI_ERROR_ILLEGAL_ARGUMENT : JVMTI_ERROR_NONE;
}

jvmtiError JNICALL set_storage(jvmtiEnv* env, const void* storage) {
  const Entry entry(env, "SetEnvironmentLocalStorage");
  own(env).storage = storage;
  return JVMTI_ERROR_NONE;
}

jvmtiError JNICALL get_storage(jvmtiEnv* env, void** storage) {
  const Entry entry(env, "GetEnvironmentLocalStorage");
  *storage = const_cast<void*>(own(env).storage);
  return JVMTI_ERROR_NONE;
}

jvmtiError JNICALL set_callbacks(jvmtiEnv* env, const jvmtiEventCallbacks* callbacks, jint size) {
  const Entry entry(env, "SetEventCallbacks");
  auto& slots = own(env).callbacks;
  slots = {};
  std::memcpy(slots.data(), callbacks, std::min(static_cast<std::size_t>(size), sizeof slots));
  return JVMTI_ERROR_NONE;
}

// Has variable arguments, like the C++ wrapper and the table's function.
jvmtiError JNICALL set_mode(jvmtiEnv* env, jvmtiEventMode mode, jvmtiEvent event, jthread reference,
                            ...) {
  const Entry entry(env, "SetEventNotificationMode");
  auto& events = own(env).events;
  if (reference == nullptr) {
    if (mode == JVMTI_ENABLE) {
      events.insert(event);
    } else {
      events.erase(event);
    }
    return JVMTI_ERROR_NONE;
  }
  Thread* const thread = entry.vm.thread(reference, entry.function);
  if (thread == nullptr) {
    return JVMTI_ERROR_INVALID_THREAD;
  }
  if (thread->life != Life::kAlive) {
    return JVMTI_ERROR_THREAD_NOT_ALIVE;
  }
  auto& by_thread = own(env).by_thread;
  if (mode == JVMTI_ENABLE) {
    by_thread.emplace(event, thread);
  } else {
    by_thread.erase({event, thread});
  }
  return JVMTI_ERROR_NONE;
}

jvmtiError JNICALL get_system_property(jvmtiEnv* env, const char* /*name*/, char** /*value*/) {
  const Entry entry(env, "GetSystemProperty");
  return JVMTI_ERROR_NOT_AVAILABLE;
}

jvmtiError JNICALL get_extension_functions(jvmtiEnv* env, jint* count,
                                           jvmtiExtensionFunctionInfo** functions) {
  const Entry entry(env, "GetExtensionFunctions");
  *count = 0;
  *functions = nullptr;
  return JVMTI_ERROR_NONE;
}

// --- raw monitors: beside the VM's own mutex ---------------------------------------------------

RawMonitor& raw(jrawMonitorID monitor) {
  return *reinterpret_cast<RawMonitor*>(monitor);
}

jvmtiError JNICALL create_raw_monitor(jvmtiEnv* env, const char* /*name*/, jrawMonitorID* monitor) {
  const Entry entry(env, "CreateRawMonitor");
  *monitor = reinterpret_cast<jrawMonitorID>(new RawMonitor());
  return JVMTI_ERROR_NONE;
}

jvmtiError JNICALL destroy_raw_monitor(jvmtiEnv* env, jrawMonitorID monitor) {
  const Entry entry(env, "DestroyRawMonitor");
  delete &raw(monitor);
  return JVMTI_ERROR_NONE;
}

jvmtiError JNICALL enter_raw_monitor(jvmtiEnv* env, jrawMonitorID monitor) {
  (void)Entry(env, "RawMonitorEnter");
  raw(monitor).mutex.lock();
  return JVMTI_ERROR_NONE;
}

jvmtiError JNICALL exit_raw_monitor(jvmtiEnv* /*env*/, jrawMonitorID monitor) {
  raw(monitor).mutex.unlock();
  return JVMTI_ERROR_NONE;
}

// A missing function of the table, by position: returns an error, because a real VM may lack a
// function too.
template <std::size_t Position>
jvmtiError JNICALL missing(jvmtiEnv* env) {
  const Entry entry(env, "missing");
  if (entry.vm.missing.insert(static_cast<int>(Position)).second) {
    std::fprintf(stderr, "fake VM: JVM TI function %zu is missing in native/tests/fake_vm\n",
                 Position + 1);
  }
  return JVMTI_ERROR_NOT_AVAILABLE;
}

template <std::size_t... Positions>
constexpr std::array<jvmtiError(JNICALL*)(jvmtiEnv*), sizeof...(Positions)> missing_functions(
    std::index_sequence<Positions...> /*positions*/) {
  return {missing<Positions>...};
}

}  // namespace

void add_environment_functions(jvmtiInterface_1_& table) {
  table.DisposeEnvironment = dispose_environment;
  table.GetVersionNumber = get_version_number;
  table.GetPhase = get_phase;
  table.Allocate = allocate;
  table.Deallocate = deallocate;
  table.GetPotentialCapabilities = get_potential_capabilities;
  table.GetCapabilities = get_capabilities;
  table.AddCapabilities = add_capabilities;
  table.RelinquishCapabilities = relinquish_capabilities;
  table.SetHeapSamplingInterval = set_sampling_interval;
  table.SetEnvironmentLocalStorage = set_storage;
  table.GetEnvironmentLocalStorage = get_storage;
  table.SetEventCallbacks = set_callbacks;
  table.SetEventNotificationMode = set_mode;
  table.GetSystemProperty = get_system_property;
  table.GetExtensionFunctions = get_extension_functions;
  table.CreateRawMonitor = create_raw_monitor;
  table.DestroyRawMonitor = destroy_raw_monitor;
  table.RawMonitorEnter = enter_raw_monitor;
  table.RawMonitorExit = exit_raw_monitor;
}

const jvmtiInterface_1_* jvmti_table() {
  static const JvmtiSlots slots = [] {
    jvmtiInterface_1_ table{};
    add_environment_functions(table);
    add_thread_functions(table);
    add_frame_functions(table);
    add_class_functions(table);
    add_member_functions(table);
    add_heap_functions(table);
    JvmtiSlots made{};
    std::memcpy(made.data(), &table, sizeof table);
    add_virtual_thread_functions(made);
    add_newer_frame_functions(made);
    constexpr auto kMissing = missing_functions(std::make_index_sequence<kJvmtiSlots>());
    for (std::size_t index = 0; index < made.size(); ++index) {
      if (made.at(index) == nullptr) {
        made.at(index) = reinterpret_cast<TableSlot>(kMissing.at(index));
      }
    }
    return made;
  }();
  return reinterpret_cast<const jvmtiInterface_1_*>(slots.data());
}

}  // namespace jvmdebug::fake
