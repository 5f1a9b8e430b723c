// SPDX-License-Identifier: Apache-2.0
//
// The function tables of the fake VM. They have the slots of JDK 25 whatever headers are used, so
// functions that newer headers name are put in by their position.
#pragma once

#include <array>
#include <cstddef>

#include <jvmti.h>

namespace jvmdebug::fake {

using TableSlot = void*;

inline constexpr std::size_t kJniSlots = 240;
inline constexpr std::size_t kJvmtiSlots = 160;
// The slots from VM_INIT (50) to VIRTUAL_THREAD_END (88).
inline constexpr std::size_t kCallbackSlots = 39;

using JniSlots = std::array<TableSlot, kJniSlots>;
using JvmtiSlots = std::array<TableSlot, kJvmtiSlots>;
using CallbackSlots = std::array<TableSlot, kCallbackSlots>;

[[nodiscard]] const JNINativeInterface_* jni_table();
[[nodiscard]] const jvmtiInterface_1_* jvmti_table();
[[nodiscard]] const JNIInvokeInterface_* invoke_table();

// The parts of the JVM TI table.
void add_environment_functions(jvmtiInterface_1_& table);
void add_thread_functions(jvmtiInterface_1_& table);
void add_frame_functions(jvmtiInterface_1_& table);
void add_class_functions(jvmtiInterface_1_& table);
void add_member_functions(jvmtiInterface_1_& table);
void add_heap_functions(jvmtiInterface_1_& table);
void add_virtual_thread_functions(JvmtiSlots& slots);
void add_newer_frame_functions(JvmtiSlots& slots);
void add_jni_values(JNINativeInterface_& table);
void add_jni_calls(JNINativeInterface_& table);

}  // namespace jvmdebug::fake
