// SPDX-License-Identifier: Apache-2.0
//
// Calls the function of a command packet, by the generated table. Called by session on its thread.
// Gives each command a JNI local frame, and replies with an error to unknown commands.
#pragma once

#include <memory>

#include "agent/agent.h"
#include "agent/transport/transport.h"
#include "codec/packet.h"

namespace jvmdebug::agent {

// Returns whether the command exists and was carried out.
[[nodiscard]] bool dispatch(Agent& agent, const std::shared_ptr<Connection>& connection,
                            const codec::Packet& packet);

}  // namespace jvmdebug::agent
