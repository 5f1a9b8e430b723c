// SPDX-License-Identifier: Apache-2.0
#include "agent/platform/posix/peer.h"

#include <sys/socket.h>
#include <sys/stat.h>

namespace jvmdebug::agent::platform {

std::optional<PeerProcess> process_of_peer(SocketHandle socket) {
  ucred peer{};
  socklen_t size = sizeof peer;
  if (getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0) {
    return std::nullopt;
  }
  return PeerProcess{.user = peer.uid, .process = peer.pid};
}

// Linux gives the file the mode of the socket, less the umask. So the mode is never wider, not even
// for a moment, as it would be with a chmod() afterwards.
bool give_file_mode_early(SocketHandle socket) {
  return fchmod(socket, S_IRUSR | S_IWUSR) == 0;
}

bool give_file_mode_late(const char* /*path*/) {
  return true;
}

}  // namespace jvmdebug::agent::platform
