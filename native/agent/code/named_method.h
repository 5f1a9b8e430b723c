// SPDX-License-Identifier: Apache-2.0
//
// Finds the method that an instruction names.
#pragma once

#include <cstddef>
#include <optional>

#include <jvmti.h>

#include "agent/jvm/env.h"
#include "agent/jvm/jni.h"
#include "classfile/constant_pool.h"

namespace jvmdebug::agent::code {

// Returns the class that declares the method; null if the VM does not tell.
[[nodiscard]] jvm::LocalRef<jclass> declaring_class(const jvm::Env& env, const jvm::Jni& jni,
                                                    jmethodID method);

// Returns the member that the two bytes behind the opcode name in the constant pool of the class.
[[nodiscard]] std::optional<classfile::MemberReference> member_named(
    const jvm::Env& env, jclass type, const unsigned char* instruction);

// Whether the method has the name and the descriptor; its class is not compared.
[[nodiscard]] bool is_named(const jvm::Env& env, jmethodID method,
                            const classfile::MemberReference& wanted);

// Returns the method of that name and descriptor which the class itself declares, or null. It
// prepares the class and does not initialize it, as a lookup by JNI would.
[[nodiscard]] jmethodID declared_method(const jvm::Env& env, jclass type,
                                        const classfile::MemberReference& wanted);

}  // namespace jvmdebug::agent::code
