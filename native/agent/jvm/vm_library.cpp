// SPDX-License-Identifier: Apache-2.0
#include "agent/jvm/vm_library.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <utility>

#include "agent/platform/dynamic_library.h"

namespace jvmdebug::agent::jvm {
namespace {

using Entry = void*;
using GetManagement = void* (*)(jint version);
using GetVersion = jint(JNICALL*)(JNIEnv*);
using ExecuteCommand = jstring(JNICALL*)(JNIEnv*, jstring command);

// A release, the version of its table, and the position of the function that executes a command.
struct Layout {
  jint feature_version;
  jint table_version;
  std::size_t execute;
};

constexpr std::array kLayouts{
    Layout{.feature_version = 11, .table_version = 0x20020000, .execute = 37},
    Layout{.feature_version = 17, .table_version = 0x20030000, .execute = 38},
    Layout{.feature_version = 21, .table_version = 0x20040000, .execute = 39},
    Layout{.feature_version = 25, .table_version = 0x20040000, .execute = 39},
};
constexpr std::size_t kGetVersion = 2;

ExecuteCommand find_execute(const Env& env, const Jni& jni) {
  const auto* const layout =
      std::ranges::find(kLayouts, env.feature_version(), &Layout::feature_version);
  const auto get = reinterpret_cast<GetManagement>(vm_function(env, "JVM_GetManagement"));
  if (layout == kLayouts.end() || get == nullptr) {
    return nullptr;
  }
  // Null for a version that the VM does not have.
  const auto* const table = static_cast<const Entry*>(get(layout->table_version));
  if (table == nullptr) {
    return nullptr;
  }
  const std::span entries(table, layout->execute + 1);
  const auto version = reinterpret_cast<GetVersion>(entries[kGetVersion]);
  return version(jni.raw()) == layout->table_version
             ? reinterpret_cast<ExecuteCommand>(entries[layout->execute])
             : nullptr;
}

// The bytes that the program can still allocate, not counting garbage; 0 if unknown.
jlong free_memory(const Jni& jni) {
  const auto type = jni.find_class("java/lang/Runtime");
  if (!type) {
    return 0;
  }
  jmethodID const get = jni->GetStaticMethodID(type, "getRuntime", "()Ljava/lang/Runtime;");
  jmethodID const most = jni->GetMethodID(type, "maxMemory", "()J");
  jmethodID const all = jni->GetMethodID(type, "totalMemory", "()J");
  jmethodID const free = jni->GetMethodID(type, "freeMemory", "()J");
  if (jni.clear_exception() || get == nullptr) {
    return 0;
  }
  const auto runtime = jni.adopt(jni->CallStaticObjectMethod(type, get));
  if (jni.clear_exception() || !runtime) {
    return 0;
  }
  jlong memory = 0;
  for (const auto& [method, sign] : {std::pair{most, 1}, {all, -1}, {free, 1}}) {
    memory += sign * jni->CallLongMethod(runtime, method);
    if (jni.clear_exception()) {
      return 0;
    }
  }
  return memory;
}

}  // namespace

void* vm_function(const Env& env, const char* name) {
  // Found by a function of JVM TI, which is in the same library.
  return platform::function_beside(reinterpret_cast<const void*>(env.raw()->functions->GetPhase),
                                   name);
}

std::optional<std::string> diagnostic_command(const Env& env, const char* command,
                                              std::size_t bytes) {
  const Jni jni = env.jni();
  const ExecuteCommand execute = find_execute(env, jni);
  if (execute == nullptr || free_memory(jni) < static_cast<jlong>(bytes)) {
    return std::nullopt;
  }
  const auto text = jni.new_string(command);
  if (!text) {
    return std::nullopt;
  }
  const LocalRef<jstring> printed(jni.raw(), execute(jni.raw(), *text));
  if (jni.clear_exception() || !printed) {
    return std::nullopt;
  }
  return jni.text(printed);
}

}  // namespace jvmdebug::agent::jvm
