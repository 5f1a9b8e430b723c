// SPDX-License-Identifier: Apache-2.0
//
// transport=dt_socket: TCP over IPv4 and IPv6. Names are resolved, the address is bound as the
// JDK's own agent binds it, and allow= is applied to each peer. Used by transport only.
#pragma once

#include <chrono>
#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <vector>

#include "agent/options/address.h"
#include "agent/transport/sockets.h"

namespace jvmdebug::agent::tcp {

struct Listening {
  Socket socket;
  std::uint16_t port = 0;  // the one that was chosen if 0 was asked for
};

// Whether only this machine reaches the address: all that its host means is loopback. True also for
// a host that cannot be resolved; then listen_on() tells why.
[[nodiscard]] bool is_loopback(const Address& address);

[[nodiscard]] std::expected<Listening, TransportError> listen_on(const Address& address);

// Accepts the waiting peer; empty when it has disconnected, or when `allow` does not permit it.
[[nodiscard]] std::expected<std::optional<Peer>, TransportError> accept_from(
    const Socket& listening, const std::vector<Network>& allow);

// Called for a socket that accepts no more data at the moment: a debugger that reads nothing for
// minutes, because it is stopped itself, is not given up as long as its machine answers. Does
// nothing for other kinds of sockets.
void tell_slow_from_gone(Socket::Descriptor descriptor);
void has_room_again(Socket::Descriptor descriptor);

// The address of a connected socket, its own and its peer's: `127.0.0.1:40000`. Empty for other
// kinds of sockets.
[[nodiscard]] std::string own_end(Socket::Descriptor descriptor);
[[nodiscard]] std::string peer_end(Socket::Descriptor descriptor);

// Whether the peer's system has acknowledged something within that time. True for a socket that is
// not TCP, which the system itself closes, and where the system does not tell.
[[nodiscard]] bool answers(Socket::Descriptor descriptor, std::chrono::milliseconds lately);

// Whether the peer is on this machine.
[[nodiscard]] bool is_local(Socket::Descriptor descriptor);

// Whether the peer's system has said that it sends nothing more, and our side is open.
[[nodiscard]] bool has_left(Socket::Descriptor descriptor);

// Returns a connected, blocking socket, before the handshake.
[[nodiscard]] std::expected<Socket, TransportError> connect_to(const Address& address,
                                                               const Deadline& deadline);

}  // namespace jvmdebug::agent::tcp
