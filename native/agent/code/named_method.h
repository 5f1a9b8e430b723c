// SPDX-License-Identifier: Apache-2.0
//
// From an instruction that names a member to the method that it means.
#pragma once

#include <cstddef>
#include <optional>

#include <jvmti.h>

#include "agent/jvm/env.h"
#include "agent/jvm/jni.h"
#include "classfile/constant_pool.h"

namespace jvmdebug::agent::code {

// The class that declares the method; null if the VM does not tell.
[[nodiscard]] jvm::LocalRef<jclass> declaring_class(const jvm::Env& env, const jvm::Jni& jni,
                                                    jmethodID method);

// The member whose entry of the class's constant pool the two bytes behind the opcode name.
[[nodiscard]] std::optional<classfile::MemberReference> member_named(
    const jvm::Env& env, jclass type, const unsigned char* instruction);

// Whether the method has the name and the descriptor; its class is not compared.
[[nodiscard]] bool is_named(const jvm::Env& env, jmethodID method,
                            const classfile::MemberReference& wanted);

// The method of that name and descriptor that the class itself declares, or null. The class is
// prepared, and is not initialized by it, which a lookup by JNI would do.
[[nodiscard]] jmethodID declared_method(const jvm::Env& env, jclass type,
                                        const classfile::MemberReference& wanted);

}  // namespace jvmdebug::agent::code
