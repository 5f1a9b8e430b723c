// SPDX-License-Identifier: Apache-2.0
//
// The JVM TI event callbacks: find the agent, make an occurrence, give it to the composer. Nothing
// is thrown out of them and the program's pending exception is as it was when they return.
#pragma once

#include "agent/jvm/env.h"
#include "agent/jvm/result.h"

namespace jvmdebug::agent::events {

// Events of 21 and newer, which the header of 17 does not name.
inline constexpr auto kVirtualThreadStart = static_cast<jvmtiEvent>(87);
inline constexpr auto kVirtualThreadEnd = static_cast<jvmtiEvent>(88);

// In OnLoad: all callbacks, and the events of the VM's own life.
[[nodiscard]] jvm::Result<void> install_callbacks(const jvm::Env& env);

// Before debugging begins: the exceptions among which one is waited for.
[[nodiscard]] jvm::Result<void> watch_exceptions(const jvm::Env& env, bool on);

// When it begins: the events that the thread table needs for itself.
[[nodiscard]] jvm::Result<void> watch_threads(const jvm::Env& env, bool every_virtual_thread);

}  // namespace jvmdebug::agent::events
