// SPDX-License-Identifier: Apache-2.0
//
// Maps kinds of requests to events of the VM. Used by the request table.
#pragma once

#include <algorithm>
#include <array>

#include <jvmti.h>

#include "agent/jvm/newer_events.h"
#include "codec/generated/constants.h"

namespace jvmdebug::agent::events {

// The JVM TI event of a kind of request. Breakpoints, steps and watches need more than an event
// mode. Kinds that are missing here are not supported. Start and end of platform threads are always
// enabled, for the ThreadRegistry.
struct KindModes {
  protocol::EventKind kind;
  jvmtiEvent event;
};

inline constexpr auto kNoEvent = static_cast<jvmtiEvent>(0);

inline constexpr std::array kKinds = {
    KindModes{protocol::EventKind::kSingleStep, kNoEvent},
    KindModes{protocol::EventKind::kBreakpoint, JVMTI_EVENT_BREAKPOINT},
    KindModes{protocol::EventKind::kException, JVMTI_EVENT_EXCEPTION},
    KindModes{protocol::EventKind::kThreadStart, jvm::kVirtualThreadStart},
    KindModes{protocol::EventKind::kThreadDeath, jvm::kVirtualThreadEnd},
    KindModes{protocol::EventKind::kClassPrepare, JVMTI_EVENT_CLASS_PREPARE},
    KindModes{protocol::EventKind::kClassUnload, kNoEvent},
    KindModes{protocol::EventKind::kFieldAccess, JVMTI_EVENT_FIELD_ACCESS},
    KindModes{protocol::EventKind::kFieldModification, JVMTI_EVENT_FIELD_MODIFICATION},
    KindModes{protocol::EventKind::kMethodEntry, JVMTI_EVENT_METHOD_ENTRY},
    KindModes{protocol::EventKind::kMethodExit, JVMTI_EVENT_METHOD_EXIT},
    KindModes{protocol::EventKind::kMethodExitWithReturnValue, JVMTI_EVENT_METHOD_EXIT},
    KindModes{protocol::EventKind::kMonitorContendedEnter, JVMTI_EVENT_MONITOR_CONTENDED_ENTER},
    KindModes{protocol::EventKind::kMonitorContendedEntered, JVMTI_EVENT_MONITOR_CONTENDED_ENTERED},
    KindModes{protocol::EventKind::kMonitorWait, JVMTI_EVENT_MONITOR_WAIT},
    KindModes{protocol::EventKind::kMonitorWaited, JVMTI_EVENT_MONITOR_WAITED},
    KindModes{protocol::EventKind::kVmStart, kNoEvent},
    KindModes{protocol::EventKind::kVmDeath, kNoEvent},
};

// Finds the modes of a kind; null if it is not supported.
[[nodiscard]] inline const KindModes* modes_of(protocol::EventKind kind) {
  const auto* const found = std::ranges::find(kKinds, kind, &KindModes::kind);
  return found == kKinds.end() ? nullptr : found;
}

}  // namespace jvmdebug::agent::events
