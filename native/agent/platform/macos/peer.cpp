// SPDX-License-Identifier: Apache-2.0
#include "agent/platform/posix/peer.h"

#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

namespace jvmdebug::agent::platform {

std::optional<PeerProcess> process_of_peer(SocketHandle socket) {
  PeerProcess peer;
  gid_t group = 0;
  if (getpeereid(socket, &peer.user, &group) != 0) {
    return std::nullopt;
  }
  socklen_t size = sizeof peer.process;
  if (getsockopt(socket, SOL_LOCAL, LOCAL_PEERPID, &peer.process, &size) != 0) {
    peer.process = 0;
  }
  return peer;
}

bool give_file_mode_early(SocketHandle /*socket*/) {
  return true;
}

bool give_file_mode_late(const char* path) {
  return chmod(path, S_IRUSR | S_IWUSR) == 0;
}

}  // namespace jvmdebug::agent::platform
