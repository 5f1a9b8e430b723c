// SPDX-License-Identifier: Apache-2.0
//
// Tells which event requests an agent cannot serve. Called by the request table.
#pragma once

#include <optional>

#include "agent/jvm/capabilities.h"
#include "codec/generated/constants.h"

namespace jvmdebug::agent::events {

// The capability that a kind of request needs; the fast mode lacks some, and an agent that was
// loaded into a running VM lacks most.
[[nodiscard]] inline std::optional<jvm::Capability> needed_for(protocol::EventKind kind) {
  using protocol::EventKind;
  switch (kind) {
    case EventKind::kMethodExit:
    case EventKind::kMethodExitWithReturnValue:  // in the fast mode: breakpoints at its returns
    case EventKind::kBreakpoint:
    case EventKind::kException:  // in the fast mode: breakpoints where it may be thrown
      return jvm::Capability::kGenerateBreakpointEvents;
    case EventKind::kSingleStep:
      return jvm::Capability::kGenerateSingleStepEvents;
    case EventKind::kMethodEntry:
      return jvm::Capability::kGenerateMethodEntryEvents;
    case EventKind::kFieldAccess:
      return jvm::Capability::kGenerateFieldAccessEvents;
    case EventKind::kFieldModification:
      return jvm::Capability::kGenerateFieldModificationEvents;
    default:
      return std::nullopt;
  }
}

}  // namespace jvmdebug::agent::events
