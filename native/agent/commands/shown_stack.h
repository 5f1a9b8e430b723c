// SPDX-License-Identifier: Apache-2.0
//
// The packet Agent.Shown, which the agent sends before an event set that a debugger shows: for a
// stop what Agent.Stack would answer, within the limits that its request has; for results of
// methods what names the methods and the values. Made on the sender's thread, when the threads of
// the set are suspended and it is not sent yet.
#pragma once

#include <cstdint>
#include <vector>

#include "agent/events/sender.h"

namespace jvmdebug::agent {

class Agent;

namespace commands {

// Returns the packet; empty if there is nothing to send, or if the stack cannot be read.
[[nodiscard]] std::vector<std::uint8_t> shown(Agent& agent, const events::Sender::SetToShow& set);

}  // namespace commands

}  // namespace jvmdebug::agent
