// SPDX-License-Identifier: Apache-2.0
//
// What HotSpot's library has beside JNI and JVM TI: functions that no specification covers. Every
// caller does without them where they are not found. Called by the histogram and by sampling.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "agent/jvm/env.h"

namespace jvmdebug::agent::jvm {

// A function that the library of the VM exports; null where it has none of that name.
[[nodiscard]] void* vm_function(const Env& env, const char* name);

// What a diagnostic command (`jcmd PID COMMAND`) prints, run in this thread; nothing where the VM
// gives no way to it or refuses it. The way is the table that java.management uses, whose layout is
// known of JDK 11, 17, 21 and 25: other releases are not asked. What it prints becomes a string of
// the program: not where its heap has no room for `bytes`, since running out of it may end the VM.
[[nodiscard]] std::optional<std::string> diagnostic_command(const Env& env, const char* command,
                                                            std::size_t bytes);

}  // namespace jvmdebug::agent::jvm
