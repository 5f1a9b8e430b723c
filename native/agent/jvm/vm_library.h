// SPDX-License-Identifier: Apache-2.0
//
// Functions of HotSpot's library beside JNI and JVM TI, which no specification covers. Every caller
// works without them if they are not found. Called by the histogram and by sampling.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "agent/jvm/env.h"

namespace jvmdebug::agent::jvm {

// Finds a function that the library of the VM exports; null if it has none of that name.
[[nodiscard]] void* vm_function(const Env& env, const char* name);

// Runs a diagnostic command (`jcmd PID COMMAND`) on this thread and returns what it prints; nothing
// if the VM refuses or offers no access. It is called through the table that java.management uses,
// whose layout is known for JDK 11, 17, 21 and 25; it is not called in other releases. The output
// becomes a string in the program's heap, so nothing is run if the heap has no room for `bytes`,
// since running out of memory may end the VM.
[[nodiscard]] std::optional<std::string> diagnostic_command(const Env& env, const char* command,
                                                            std::size_t bytes);

}  // namespace jvmdebug::agent::jvm
