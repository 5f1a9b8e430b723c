// SPDX-License-Identifier: Apache-2.0
//
// transport=unix: a UNIX-domain stream socket, for a debugger on the same machine that no other
// user can reach. The file has mode 0600 from its first moment, and the peer's user is checked.
// Used by transport only.
#pragma once

#include <expected>
#include <optional>
#include <string>
#include <sys/types.h>
#include <utility>

#include "agent/transport/sockets.h"

namespace jvmdebug::agent::unix_socket {

// The file of a listening socket; the destructor removes it if it is still the same file.
class SocketFile {
 public:
  SocketFile() = default;

  SocketFile(std::string path, dev_t device, ino_t inode)
      : path_(std::move(path)), device_(device), inode_(inode) {}

  SocketFile(SocketFile&& other) noexcept
      : path_(std::exchange(other.path_, {})), device_(other.device_), inode_(other.inode_) {}

  SocketFile& operator=(SocketFile&&) = delete;
  SocketFile(const SocketFile&) = delete;
  SocketFile& operator=(const SocketFile&) = delete;

  ~SocketFile() { remove(); }

  void remove() const;

 private:
  std::string path_;
  dev_t device_ = 0;
  ino_t inode_ = 0;
};

struct Listening {
  Socket socket;
  SocketFile file;
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
