// SPDX-License-Identifier: Apache-2.0
//
// The JVM TI event callbacks: find the agent, make an occurrence, give it to the composer. Each
// runs wholly inside the guard of callback_guard.h.
#pragma once

#include "agent/jvm/env.h"
#include "agent/jvm/result.h"

namespace jvmdebug::agent::events {

// Events of 21 and newer, which the header of 17 does not name.
inline constexpr auto kVirtualThreadStart = static_cast<jvmtiEvent>(87);
inline constexpr auto kVirtualThreadEnd = static_cast<jvmtiEvent>(88);

// In OnLoad: sets all callbacks, and enables VMInit and VMDeath.
[[nodiscard]] jvm::Result<void> install_callbacks(const jvm::Env& env);

// Before debugging begins, when it is to begin at an exception.
[[nodiscard]] jvm::Result<void> watch_exceptions(const jvm::Env& env, bool on);

// When debugging begins: enables the events that the thread table needs.
[[nodiscard]] jvm::Result<void> watch_threads(const jvm::Env& env, bool every_virtual_thread);

}  // namespace jvmdebug::agent::events
