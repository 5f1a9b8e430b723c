// SPDX-License-Identifier: Apache-2.0
//
// Finds or defines classes of the agent in the VM. An agent that was in the VM before may have left
// them there.
#pragma once

#include <cstdint>
#include <expected>
#include <span>
#include <string>
#include <string_view>

#include <jvmti.h>

#include "agent/jvm/env.h"
#include "agent/jvm/jni.h"

namespace jvmdebug::agent::probes {

// Returns a class of the boot loader by its internal name, or null. It runs no Java code. FindClass
// would have the class loaders of the program throw a ClassNotFoundException; if the debugger holds
// a thread that initializes that class, every other thread that throws one waits for it.
[[nodiscard]] jvm::LocalRef<jclass> left_class(const jvm::Env& env, const jvm::Jni& jni,
                                               std::string_view internal_name);
// Defines a class. The error is the reason, for people.
[[nodiscard]] std::expected<jvm::LocalRef<jclass>, std::string> define_class(
    const jvm::Jni& jni, const char* internal_name, jobject loader,
    std::span<const std::uint8_t> class_file);
// Returns a class of the boot loader that is there already, or defines it.
[[nodiscard]] std::expected<jvm::LocalRef<jclass>, std::string> left_or_defined(
    const jvm::Env& env, const jvm::Jni& jni, const char* internal_name,
    std::span<const std::uint8_t> class_file);

}  // namespace jvmdebug::agent::probes
