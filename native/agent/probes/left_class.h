// SPDX-License-Identifier: Apache-2.0
//
// Classes of the agent in the VM: defined, or left there by an agent before this one.
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

// A class of the boot loader by its internal name; null if there is none. Runs no Java code, where
// FindClass has the class loaders of the program throw an exception: a thread may be held while
// it initializes the class of that, and whoever throws another waits for it.
[[nodiscard]] jvm::LocalRef<jclass> left_class(const jvm::Env& env, const jvm::Jni& jni,
                                               std::string_view internal_name);
// Defines a class. An error is the reason, for people.
[[nodiscard]] std::expected<jvm::LocalRef<jclass>, std::string> define_class(
    const jvm::Jni& jni, const char* internal_name, jobject loader,
    std::span<const std::uint8_t> class_file);
// A class of the boot loader: that which is there, or a new one.
[[nodiscard]] std::expected<jvm::LocalRef<jclass>, std::string> left_or_defined(
    const jvm::Env& env, const jvm::Jni& jni, const char* internal_name,
    std::span<const std::uint8_t> class_file);

}  // namespace jvmdebug::agent::probes
