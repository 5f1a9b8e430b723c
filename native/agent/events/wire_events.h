// SPDX-License-Identifier: Apache-2.0
//
// Converts Occurrence → RetainedOccurrence → event of the wire. The first step runs on the event's
// thread; the second, which makes ids, on an agent thread.
#pragma once

#include <memory>
#include <optional>

#include "agent/events/event_set.h"
#include "agent/ids/method_ids.h"
#include "agent/ids/object_table.h"
#include "agent/jvm/env.h"
#include "codec/generated/events.h"

namespace jvmdebug::agent::events {

[[nodiscard]] std::shared_ptr<const RetainedOccurrence> retain(const jvm::Env& env,
                                                               const jvm::Jni& jni,
                                                               const Occurrence& occurrence);

// What an event needs to become one of the wire: ids in place of references and methods.
struct WireIds {
  const jvm::Env& env;
  ids::ObjectTable& objects;
  ids::MethodIds& methods;
};

// Makes the event of the wire; nothing when the VM cannot supply a part of it (its class was
// unloaded meanwhile).
[[nodiscard]] std::optional<protocol::Event> wire_event(const WireIds& known,
                                                        const PendingEvent& event);

}  // namespace jvmdebug::agent::events
