// SPDX-License-Identifier: Apache-2.0
//
// The events that EventRecorder knows: their names, what they need of the VM, and the callbacks
// that make records of them.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

#include <jvmti.h>

#include "agent/jvm/capabilities.h"

namespace jvmdebug::agent::jvmti_access {

// Number of extension events that can be recorded; no VM has half of them.
inline constexpr std::size_t kMostExtensions = 8;

struct EventKind {
  std::string_view name;  // as in the specification
  jvmtiEvent event{};
  std::optional<jvm::Capability> needs = std::nullopt;
  std::optional<jvm::Capability> needs_too = std::nullopt;
};

[[nodiscard]] std::span<const EventKind> event_kinds();

[[nodiscard]] jvmtiEventCallbacks event_callbacks();

// What an extension event is answered with, which does not say which one it is; null where there
// are no more slots.
[[nodiscard]] jvmtiExtensionEvent extension_callback(std::size_t slot);

}  // namespace jvmdebug::agent::jvmti_access
