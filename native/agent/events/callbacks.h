// SPDX-License-Identifier: Apache-2.0
//
// The JVM TI event callbacks: each finds the agent, makes an Occurrence and passes it to the
// Composer, all inside the guard of callback_guard.h.
#pragma once

#include "agent/jvm/env.h"
#include "agent/jvm/result.h"

namespace jvmdebug::agent::events {

// Sets all callbacks, and enables VMInit and VMDeath. Called in OnLoad.
[[nodiscard]] jvm::Result<void> install_callbacks(const jvm::Env& env);

// Enables the event for dumps of data, which the option datadump prints. Needs no capability.
[[nodiscard]] jvm::Result<void> watch_data_dumps(const jvm::Env& env);

// Disables all events for all threads. Requests own the events of single threads.
void silence(const jvm::Env& env);

// Watches exceptions for the options onthrow and onuncaught, until debugging begins.
[[nodiscard]] jvm::Result<void> watch_exceptions(const jvm::Env& env, bool on);

// Enables the events that the ThreadRegistry needs, when debugging begins.
[[nodiscard]] jvm::Result<void> watch_threads(const jvm::Env& env, bool every_virtual_thread);

}  // namespace jvmdebug::agent::events
