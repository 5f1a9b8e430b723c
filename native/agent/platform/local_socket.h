// SPDX-License-Identifier: Apache-2.0
//
// UNIX-domain stream sockets for programs of one user on one machine. The file of a listening one
// is closed to other users, and the user of a peer is checked. Texts are reasons, for people. Where
// the system has none (Windows), each call gives that as the reason.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <utility>

#include "agent/platform/net.h"

namespace jvmdebug::agent::platform {

// How many bytes the path of a socket may have.
[[nodiscard]] std::size_t longest_socket_path();

// The file of a listening socket; the destructor removes it if it is still the same file.
class SocketFile {
 public:
  SocketFile() = default;

  SocketFile(std::string path, std::uint64_t device, std::uint64_t number)
      : path_(std::move(path)), device_(device), number_(number) {}

  SocketFile(SocketFile&& other) noexcept
      : path_(std::exchange(other.path_, {})), device_(other.device_), number_(other.number_) {}

  SocketFile& operator=(SocketFile&&) = delete;
  SocketFile(const SocketFile&) = delete;
  SocketFile& operator=(const SocketFile&) = delete;

  ~SocketFile() { remove(); }

  void remove() const;

 private:
  std::string path_;
  std::uint64_t device_ = 0;
  std::uint64_t number_ = 0;
};

struct LocalListening {
  SocketHandle socket = kNoSocket;
  SocketFile file;
};

// Listens at a path. Replaces the file of a process that has ended; refuses if a process listens
// there, or if the file is not a socket.
[[nodiscard]] std::expected<LocalListening, std::string> listen_locally(const std::string& path,
                                                                        int backlog);

struct LocalPeer {
  SocketHandle socket = kNoSocket;
  std::string name;         // `process 4711`
  bool is_refused = false;  // it is another user's; the socket is closed
};

[[nodiscard]] std::expected<LocalPeer, int> accept_locally(SocketHandle listening);

// Returns a blocking socket. Refuses a listener of another user.
[[nodiscard]] std::expected<SocketHandle, std::string> connect_locally(const std::string& path);

}  // namespace jvmdebug::agent::platform
