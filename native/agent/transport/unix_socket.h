// SPDX-License-Identifier: Apache-2.0
//
// transport=unix: a UNIX-domain stream socket, for a debugger on the same machine that no other
// user can reach (platform/local_socket.h). Used by transport only.
#pragma once

#include <expected>
#include <optional>
#include <string>

#include "agent/platform/local_socket.h"
#include "agent/transport/sockets.h"

namespace jvmdebug::agent::unix_socket {

struct Listening {
  Socket socket;
  platform::SocketFile file;
};

// Listens at a path. Replaces the file of a process that has ended; refuses if a process listens
// there, or if the file is not a socket.
[[nodiscard]] std::expected<Listening, TransportError> listen_on(const std::string& path);

// Accepts the waiting peer; empty when it has disconnected, or when it belongs to another user.
[[nodiscard]] std::expected<std::optional<Peer>, TransportError> accept_from(
    const Socket& listening);

// Returns a connected, blocking socket, before the handshake. Refuses a listener of another user.
[[nodiscard]] std::expected<Socket, TransportError> connect_to(const std::string& path);

}  // namespace jvmdebug::agent::unix_socket
