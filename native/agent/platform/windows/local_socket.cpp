// SPDX-License-Identifier: Apache-2.0
#include "agent/platform/local_socket.h"

namespace jvmdebug::agent::platform {
namespace {

// Windows has such sockets, and neither a mode for their files nor the user of a peer: other users
// could not be kept out.
constexpr const char* kReason =
    "there is no transport=unix on Windows, where other users could not be kept out; use "
    "transport=dt_socket, with token-file=PATH if others are on this machine";

}  // namespace

std::size_t longest_socket_path() {
  constexpr std::size_t kLongest = 107;
  return kLongest;
}

void SocketFile::remove() const {}

std::expected<LocalListening, std::string> listen_locally(const std::string& /*path*/,
                                                          int /*backlog*/) {
  return std::unexpected(kReason);
}

std::expected<LocalPeer, int> accept_locally(SocketHandle /*listening*/) {
  return LocalPeer{.name = {}, .is_refused = true};
}

std::expected<SocketHandle, std::string> connect_locally(const std::string& /*path*/) {
  return std::unexpected(kReason);
}

}  // namespace jvmdebug::agent::platform
