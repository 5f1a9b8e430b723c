// SPDX-License-Identifier: Apache-2.0
//
// The process at the other end of a local socket. Used by local_socket.cpp only.
#pragma once

#include <optional>
#include <sys/types.h>

#include "agent/platform/net.h"

namespace jvmdebug::agent::platform {

struct PeerProcess {
  uid_t user = 0;
  pid_t process = 0;  // 0 if the system does not tell
};

[[nodiscard]] std::optional<PeerProcess> process_of_peer(SocketHandle socket);

// Gives a socket that is not bound yet, and thus its file, the mode 0600 from its first moment.
// True where the system cannot do that: then the file gets it at once after, and the check of the
// peer's user keeps others out.
[[nodiscard]] bool give_file_mode_early(SocketHandle socket);
[[nodiscard]] bool give_file_mode_late(const char* path);

}  // namespace jvmdebug::agent::platform
