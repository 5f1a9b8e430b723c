// SPDX-License-Identifier: Apache-2.0
//
// From a command packet to its function, by the generated table. Called by session on its thread;
// gives each command a local frame and answers for those that do not exist.
#pragma once

#include <memory>

#include "agent/agent.h"
#include "agent/transport/transport.h"
#include "codec/packet.h"

namespace jvmdebug::agent {

// Whether it was a command that there is, and was carried out.
[[nodiscard]] bool dispatch(Agent& agent, const std::shared_ptr<Connection>& connection,
                            const codec::Packet& packet);

}  // namespace jvmdebug::agent
