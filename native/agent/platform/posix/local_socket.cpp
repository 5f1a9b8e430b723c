// SPDX-License-Identifier: Apache-2.0
#include "agent/platform/local_socket.h"

#include <cerrno>
#include <string_view>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>
#include <utility>

#include "agent/platform/posix/peer.h"
#include "agent/platform/posix/sockets.h"

namespace jvmdebug::agent::platform {
namespace {

constexpr mode_t kOwnerOnly = S_IRUSR | S_IWUSR;
constexpr mode_t kAccess = 0777;

// Closes a socket that is not handed out.
class Owned {
 public:
  explicit Owned(SocketHandle socket) : socket_(socket) {}

  Owned(const Owned&) = delete;
  Owned& operator=(const Owned&) = delete;

  ~Owned() {
    if (is_open()) {
      close_socket(socket_);
    }
  }

  [[nodiscard]] bool is_open() const { return socket_ != kNoSocket; }

  [[nodiscard]] SocketHandle get() const { return socket_; }

  SocketHandle release() { return std::exchange(socket_, kNoSocket); }

 private:
  SocketHandle socket_;
};

std::unexpected<std::string> failed(int error) {
  return std::unexpected(error_text(error));
}

// The length was checked when the option was read.
sockaddr_un address_of(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  path.copy(address.sun_path, sizeof address.sun_path - 1);
  return address;
}

int connect_socket(SocketHandle socket, const std::string& path) {
  const sockaddr_un address = address_of(path);
  while (connect(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
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
    return errno == ENOENT ? std::nullopt : std::optional(error_text(errno));
  }
  if (!S_ISSOCK(found.st_mode)) {
    return "there is a file that is no socket; remove it, or name another path";
  }
  const Owned probe(new_socket(AF_UNIX, Blocking::kNo));
  if (!probe.is_open()) {
    return error_text(errno);
  }
  // Refused means that the file exists and no process listens.
  if (const int outcome = connect_socket(probe.get(), path); outcome != ECONNREFUSED) {
    return outcome == 0 || outcome == EAGAIN
               ? "another process listens there; name another path"
               : "the socket there cannot be replaced: " + error_text(outcome);
  }
  if (unlink(path.c_str()) != 0 && errno != ENOENT) {
    return "the socket there is stale and cannot be removed: " + error_text(errno);
  }
  return std::nullopt;
}

// Whether the peer's process belongs to us, or to root, which can do everything anyway.
bool is_our_user(const std::optional<PeerProcess>& peer) {
  return peer && (peer->user == geteuid() || peer->user == 0);
}

}  // namespace

std::size_t longest_socket_path() {
  return sizeof(sockaddr_un::sun_path) - 1;
}

void SocketFile::remove() const {
  struct stat found{};
  if (path_.empty() || lstat(path_.c_str(), &found) != 0) {
    return;
  }
  if (std::cmp_equal(found.st_dev, device_) && std::cmp_equal(found.st_ino, number_)) {
    // Another process may have removed it already, which is fine.
    (void)unlink(path_.c_str());
  }
}

std::expected<LocalListening, std::string> listen_locally(const std::string& path, int backlog) {
  if (auto obstacle = clear_path(path)) {
    return std::unexpected(*std::move(obstacle));
  }
  Owned socket(new_socket(AF_UNIX, Blocking::kYes));
  if (!socket.is_open() || !give_file_mode_early(socket.get())) {
    return failed(errno);
  }
  const sockaddr_un address = address_of(path);
  if (bind(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
    return failed(errno);
  }
  struct stat made{};
  if (!give_file_mode_late(path.c_str()) || lstat(path.c_str(), &made) != 0) {
    return failed(errno);
  }
  SocketFile file(path, static_cast<std::uint64_t>(made.st_dev),
                  static_cast<std::uint64_t>(made.st_ino));
  if ((made.st_mode & kAccess & ~kOwnerOnly) != 0) {
    return std::unexpected("the file system does not keep the socket's mode 0600");
  }
  if (::listen(socket.get(), backlog) != 0) {
    return failed(errno);
  }
  return LocalListening{.socket = socket.release(), .file = std::move(file)};
}

std::expected<LocalPeer, int> accept_locally(SocketHandle listening) {
  Owned socket(accept_from(listening, nullptr, nullptr));
  if (!socket.is_open()) {
    return std::unexpected(errno);
  }
  const auto peer = process_of_peer(socket.get());
  if (!peer || !is_our_user(peer)) {
    return LocalPeer{.name = {}, .is_refused = true};
  }
  return LocalPeer{.socket = socket.release(), .name = "process " + std::to_string(peer->process)};
}

std::expected<SocketHandle, std::string> connect_locally(const std::string& path) {
  Owned socket(new_socket(AF_UNIX, Blocking::kNo));
  if (!socket.is_open()) {
    return failed(errno);
  }
  if (const int outcome = connect_socket(socket.get(), path); outcome != 0) {
    return failed(outcome);
  }
  if (!is_our_user(process_of_peer(socket.get()))) {
    return std::unexpected("it belongs to another user");
  }
  if (!make_blocking(socket.get())) {
    return failed(errno);
  }
  return socket.release();
}

}  // namespace jvmdebug::agent::platform
