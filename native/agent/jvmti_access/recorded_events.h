// SPDX-License-Identifier: Apache-2.0
//
// The events that EventRecorder knows: their names, the capabilities that they need, and the
// callbacks that record them.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

#include <jvmti.h>

#include "agent/jvm/capabilities.h"
#include "agent/jvm/env.h"
#include "agent/jvm/result.h"

namespace jvmdebug::agent::jvmti_access {

// The number of extension events that can be recorded; no VM has half as many.
inline constexpr std::size_t kMostExtensions = 8;

struct EventKind {
  std::string_view name;  // as in the specification
  jvmtiEvent event{};
  std::optional<jvm::Capability> needs = std::nullopt;
  std::optional<jvm::Capability> needs_too = std::nullopt;
};

[[nodiscard]] std::span<const EventKind> event_kinds();

[[nodiscard]] jvm::Result<void> install_recording_callbacks(const jvm::Env& env);

// Returns the callback of a slot: an extension event does not tell which one it is, so each has its
// own callback. Null if there are no more slots.
[[nodiscard]] jvmtiExtensionEvent extension_callback(std::size_t slot);

}  // namespace jvmdebug::agent::jvmti_access
