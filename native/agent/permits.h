// SPDX-License-Identifier: Apache-2.0
//
// The role that a command needs: its declaration says so (`role` in native/protocol), and a request
// for events needs one by the kind of the events as well. The relay decides alike
// (jvmdebug/relay/permits.py). Called by the dispatcher.
#pragma once

#include "agent/commands/generated/handlers.h"
#include "agent/options/role.h"
#include "codec/reader.h"

namespace jvmdebug::agent {

// The least role that may send this command. `request` is read: it is for nothing else.
[[nodiscard]] Role role_needed(const commands::CommandEntry& entry, codec::Reader request);

}  // namespace jvmdebug::agent
