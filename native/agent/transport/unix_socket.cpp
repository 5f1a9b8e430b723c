// SPDX-License-Identifier: Apache-2.0
#include "agent/transport/unix_socket.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string_view>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

namespace jvmdebug::agent::unix_socket {
namespace {

constexpr mode_t kOwnerOnly = S_IRUSR | S_IWUSR;

std::unexpected<TransportError> failed(std::string_view what, const std::string& path,
                                       std::string_view why) {
  return std::unexpected(transport_error(what, path, why));
}

// The length was checked when the option was read.
sockaddr_un address_of(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  path.copy(address.sun_path, sizeof address.sun_path - 1);
  return address;
}

int connect_socket(const Socket& socket, const std::string& path) {
  const sockaddr_un address = address_of(path);
  while (connect(socket.descriptor(), reinterpret_cast<const sockaddr*>(&address),
                 sizeof address) != 0) {
    if (errno != EINTR) {
      return errno;
    }
  }
  return 0;
}

// Removes a socket file that an ended process has left at the path. Returns what is wrong, or
// nothing.
std::optional<std::string> clear_path(const std::string& path) {
  struct stat found{};
  if (lstat(path.c_str(), &found) != 0) {
    return errno == ENOENT ? std::nullopt : std::optional(system_message(errno));
  }
  if (!S_ISSOCK(found.st_mode)) {
    return "there is a file that is no socket; remove it, or name another path";
  }
  const Socket probe(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!probe.open()) {
    return system_message(errno);
  }
  // Refused means that the file exists and no process listens.
  if (const int outcome = connect_socket(probe, path); outcome != ECONNREFUSED) {
    return outcome == 0 || outcome == EAGAIN
               ? "another process listens there; name another path"
               : "the socket there cannot be replaced: " + system_message(outcome);
  }
  if (unlink(path.c_str()) != 0 && errno != ENOENT) {
    return "the socket there is stale and cannot be removed: " + system_message(errno);
  }
  return std::nullopt;
}

std::optional<ucred> credentials_of(const Socket& socket) {
  ucred peer{};
  socklen_t size = sizeof peer;
  if (getsockopt(socket.descriptor(), SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0) {
    return std::nullopt;
  }
  return peer;
}

// Whether the peer's process belongs to us, or to root, which can do everything anyway.
bool is_our_user(const ucred& peer) {
  return peer.uid == geteuid() || peer.uid == 0;
}

}  // namespace

void SocketFile::remove() const {
  struct stat found{};
  if (path_.empty() || lstat(path_.c_str(), &found) != 0) {
    return;
  }
  if (found.st_dev == device_ && found.st_ino == inode_) {
    // Another process may have removed it already, which is fine.
    (void)unlink(path_.c_str());
  }
}

std::expected<Listening, TransportError> listen_on(const std::string& path) {
  constexpr std::string_view kWhat = "cannot listen on";
  if (const auto obstacle = clear_path(path)) {
    return failed(kWhat, path, *obstacle);
  }
  Socket socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  // Linux gives the file the mode of the socket, less the umask. So the mode is never wider, not
  // even for a moment, as it would be with a chmod() afterwards.
  if (!socket.open() || fchmod(socket.descriptor(), kOwnerOnly) != 0) {
    return failed(kWhat, path, system_message(errno));
  }
  const sockaddr_un address = address_of(path);
  if (bind(socket.descriptor(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
    return failed(kWhat, path, system_message(errno));
  }
  struct stat made{};
  if (lstat(path.c_str(), &made) != 0) {
    return failed(kWhat, path, system_message(errno));
  }
  SocketFile file(path, made.st_dev, made.st_ino);
  if ((made.st_mode & static_cast<mode_t>(ACCESSPERMS) & ~kOwnerOnly) != 0) {
    return failed(kWhat, path, "the file system does not keep the socket's mode 0600");
  }
  if (::listen(socket.descriptor(), kBacklog) != 0) {
    return failed(kWhat, path, system_message(errno));
  }
  return Listening{.socket = std::move(socket), .file = std::move(file)};
}

std::expected<std::optional<Peer>, TransportError> accept_from(const Socket& listening) {
  Socket socket(accept4(listening.descriptor(), nullptr, nullptr, SOCK_CLOEXEC));
  if (!socket.open()) {
    return failed_accept(errno);
  }
  const auto peer = credentials_of(socket);
  if (!peer || !is_our_user(*peer)) {
    std::fputs("jvmdebug: a process of another user tried to connect; refused\n", stderr);
    return std::nullopt;
  }
  return Peer{.socket = std::move(socket), .name = "process " + std::to_string(peer->pid)};
}

std::expected<Socket, TransportError> connect_to(const std::string& path) {
  constexpr std::string_view kWhat = "cannot connect to";
  Socket socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!socket.open()) {
    return failed(kWhat, path, system_message(errno));
  }
  if (const int outcome = connect_socket(socket, path); outcome != 0) {
    return failed(kWhat, path, system_message(outcome));
  }
  if (const auto peer = credentials_of(socket); !peer || !is_our_user(*peer)) {
    return failed(kWhat, path, "it belongs to another user");
  }
  if (!make_blocking(socket)) {
    return failed(kWhat, path, system_message(errno));
  }
  return socket;
}

}  // namespace jvmdebug::agent::unix_socket
