// SPDX-License-Identifier: Apache-2.0
//
// transport=dt_socket: TCP over IPv4 and IPv6. Names are resolved, the address is bound as the
// JDK's own agent binds it, and allow= is applied to each peer. Used by transport only.
#pragma once

#include <cstdint>
#include <expected>
#include <optional>
#include <vector>

#include "agent/options/address.h"
#include "agent/transport/sockets.h"

namespace jvmdebug::agent::tcp {

struct Listening {
  Socket socket;
  std::uint16_t port = 0;  // the one that was chosen for 0
};

[[nodiscard]] std::expected<Listening, TransportError> listen_on(const Address& address);

// Takes the peer that waits; empty when it has gone, or when `allow` does not name it.
[[nodiscard]] std::expected<std::optional<Peer>, TransportError> accept_from(
    const Socket& listening, const std::vector<Network>& allow);

// Called for a socket that takes nothing at the moment: a debugger that reads nothing for minutes,
// as it is stopped itself, is not given up as long as its machine answers. Nothing for other
// sockets.
void tell_slow_from_gone(int descriptor);
void has_room_again(int descriptor);

// Connected and blocking, hands not yet shaken.
[[nodiscard]] std::expected<Socket, TransportError> connect_to(const Address& address,
                                                               const Deadline& deadline);

}  // namespace jvmdebug::agent::tcp
