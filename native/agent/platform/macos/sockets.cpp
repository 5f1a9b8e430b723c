// SPDX-License-Identifier: Apache-2.0
#include "agent/platform/posix/sockets.h"

#include <cerrno>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/event.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "agent/platform/net.h"

namespace jvmdebug::agent::platform {
namespace {

// Another thread that starts a program in between lets it inherit the descriptor: macOS has no call
// that does all of this at once.
bool prepare(SocketHandle socket, Blocking blocking) {
  const int on = 1;
  (void)setsockopt(socket, SOL_SOCKET, SO_NOSIGPIPE, &on, sizeof on);
  const int flags = fcntl(socket, F_GETFL);
  const int wanted = blocking == Blocking::kYes ? flags & ~O_NONBLOCK : flags | O_NONBLOCK;
  return flags >= 0 && fcntl(socket, F_SETFD, FD_CLOEXEC) == 0 &&
         fcntl(socket, F_SETFL, wanted) == 0;
}

SocketHandle prepared(SocketHandle socket, Blocking blocking) {
  if (socket != kNoSocket && !prepare(socket, blocking)) {
    const int error = errno;
    (void)close(socket);
    errno = error;
    return kNoSocket;
  }
  return socket;
}

}  // namespace

SocketHandle new_socket(int family, Blocking blocking) {
  return prepared(socket(family, SOCK_STREAM, 0), blocking);
}

SocketHandle accept_from(SocketHandle listening, sockaddr* peer, socklen_t* size) {
  return prepared(::accept(listening, peer, size), Blocking::kYes);
}

bool open_pipe(std::array<int, 2>& ends) {
  return pipe(ends.data()) == 0 && prepare(ends[0], Blocking::kNo) &&
         prepare(ends[1], Blocking::kNo);
}

std::expected<std::array<SocketHandle, 2>, int> socket_pair() {
  std::array<SocketHandle, 2> ends{};
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends.data()) != 0) {
    return std::unexpected(errno);
  }
  if (!prepare(ends[0], Blocking::kYes) || !prepare(ends[1], Blocking::kYes)) {
    const int error = errno;
    (void)close(ends[0]);
    (void)close(ends[1]);
    return std::unexpected(error);
  }
  return ends;
}

bool take_place_of(SocketHandle old, SocketHandle next) {
  return dup2(next, old) >= 0 && prepare(old, Blocking::kYes);
}

// An event that is read has the end of the peer's output as a flag, whatever is unread.
bool peer_has_closed(SocketHandle socket) {
  const int queue = kqueue();
  if (queue < 0) {
    return false;
  }
  struct kevent wanted{};
  EV_SET(&wanted, socket, EVFILT_READ, EV_ADD, 0, 0, nullptr);
  struct kevent found{};
  const timespec at_once{};
  const int count = kevent(queue, &wanted, 1, &found, 1, &at_once);
  (void)close(queue);
  return count > 0 && (found.flags & (EV_EOF | EV_ERROR)) != 0;
}

bool is_all_received(SocketHandle socket) {
  int waiting = 0;
  socklen_t size = sizeof waiting;
  return getsockopt(socket, SOL_SOCKET, SO_NWRITE, &waiting, &size) != 0 || waiting == 0;
}

bool is_tcp(SocketHandle socket) {
  sockaddr_storage address{};
  socklen_t size = sizeof address;
  return getsockname(socket, reinterpret_cast<sockaddr*>(&address), &size) == 0 &&
         (address.ss_family == AF_INET || address.ss_family == AF_INET6);
}

// macOS tells what TCP knows of a connection to no program that could rely on it.
std::optional<TcpState> tcp_state(SocketHandle /*socket*/) {
  return std::nullopt;
}

void limit_unsent(SocketHandle socket, int bytes) {
  (void)setsockopt(socket, IPPROTO_TCP, TCP_NOTSENT_LOWAT, &bytes, sizeof bytes);
}

void limit_retransmission(SocketHandle socket, std::chrono::milliseconds limit) {
  const auto seconds = static_cast<int>(std::chrono::ceil<std::chrono::seconds>(limit).count());
  (void)setsockopt(socket, IPPROTO_TCP, TCP_RXT_CONNDROPTIME, &seconds, sizeof seconds);
}

}  // namespace jvmdebug::agent::platform
