// SPDX-License-Identifier: Apache-2.0
#include "agent/transport/unix_socket.h"

#include <cstdio>
#include <utility>

namespace jvmdebug::agent::unix_socket {

std::expected<Listening, TransportError> listen_on(const std::string& path) {
  auto listening = platform::listen_locally(path, kBacklog);
  if (!listening) {
    return std::unexpected(transport_error("cannot listen on", path, listening.error()));
  }
  return Listening{.socket = Socket(listening->socket), .file = std::move(listening->file)};
}

std::expected<std::optional<Peer>, TransportError> accept_from(const Socket& listening) {
  auto peer = platform::accept_locally(listening.descriptor());
  if (!peer) {
    return failed_accept(peer.error());
  }
  if (peer->is_refused) {
    std::fputs("jvmdebug: a process of another user tried to connect; refused\n", stderr);
    return std::nullopt;
  }
  return Peer{.socket = Socket(peer->socket), .name = std::move(peer->name)};
}

std::expected<Socket, TransportError> connect_to(const std::string& path) {
  const auto socket = platform::connect_locally(path);
  if (!socket) {
    return std::unexpected(transport_error("cannot connect to", path, socket.error()));
  }
  return Socket(*socket);
}

}  // namespace jvmdebug::agent::unix_socket
