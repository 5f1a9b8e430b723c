// SPDX-License-Identifier: Apache-2.0
//
// The packet Agent.Shown, which the agent sends before a stop that a debugger shows: what Agent.Stack
// would answer, within the limits that the request of the stop has. Made on the sender's thread,
// when the stop's threads are suspended and its event set is not sent yet.
#pragma once

#include <cstdint>
#include <vector>

#include "agent/events/sender.h"

namespace jvmdebug::agent {

class Agent;

namespace commands {

// Returns the packet; empty if the stack cannot be read.
[[nodiscard]] std::vector<std::uint8_t> shown_stack(Agent& agent,
                                                    const events::Sender::StopToShow& stop);

}  // namespace commands

}  // namespace jvmdebug::agent
