// SPDX-License-Identifier: Apache-2.0
#include "agent/platform/posix/sockets.h"

#include <cerrno>
#include <fcntl.h>
#include <linux/sockios.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "agent/platform/net.h"

namespace jvmdebug::agent::platform {
namespace {

std::optional<tcp_info> info_of(SocketHandle socket) {
  tcp_info info{};
  socklen_t size = sizeof info;
  if (getsockopt(socket, IPPROTO_TCP, TCP_INFO, &info, &size) != 0) {
    return std::nullopt;
  }
  return info;
}

}  // namespace

SocketHandle new_socket(int family, Blocking blocking) {
  const int flags = SOCK_CLOEXEC | (blocking == Blocking::kYes ? 0 : SOCK_NONBLOCK);
  return socket(family, SOCK_STREAM | flags, 0);
}

SocketHandle accept_from(SocketHandle listening, sockaddr* peer, socklen_t* size) {
  return accept4(listening, peer, size, SOCK_CLOEXEC);
}

bool open_pipe(std::array<int, 2>& ends) {
  return pipe2(ends.data(), O_CLOEXEC | O_NONBLOCK) == 0;
}

std::expected<std::array<SocketHandle, 2>, int> socket_pair() {
  std::array<SocketHandle, 2> ends{};
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) {
    return std::unexpected(errno);
  }
  return ends;
}

bool take_place_of(SocketHandle old, SocketHandle next) {
  return dup3(next, old, O_CLOEXEC) >= 0;
}

bool peer_has_closed(SocketHandle socket) {
  pollfd asked{.fd = socket, .events = POLLRDHUP, .revents = 0};
  return poll(&asked, 1, 0) > 0 && (asked.revents & (POLLRDHUP | POLLHUP | POLLERR)) != 0;
}

bool is_all_received(SocketHandle socket) {
  int waiting = 0;
  return ioctl(socket, SIOCOUTQ, &waiting) != 0 || waiting == 0;
}

bool is_tcp(SocketHandle socket) {
  int protocol = 0;
  socklen_t size = sizeof protocol;
  return getsockopt(socket, SOL_SOCKET, SO_PROTOCOL, &protocol, &size) == 0 &&
         protocol == IPPROTO_TCP;
}

std::optional<TcpState> tcp_state(SocketHandle socket) {
  constexpr int kUnanswered = 2;
  const auto info = is_tcp(socket) ? info_of(socket) : std::nullopt;
  if (!info) {
    return std::nullopt;
  }
  return TcpState{.is_all_acknowledged = info->tcpi_unacked == 0,
                  .answers_probes = info->tcpi_probes < kUnanswered,
                  .peer_has_ended = info->tcpi_state == TCP_CLOSE_WAIT,
                  .since_answer = std::chrono::milliseconds(info->tcpi_last_ack_recv)};
}

void limit_unsent(SocketHandle socket, int bytes) {
  (void)setsockopt(socket, IPPROTO_TCP, TCP_NOTSENT_LOWAT, &bytes, sizeof bytes);
}

void limit_retransmission(SocketHandle socket, std::chrono::milliseconds limit) {
  const auto timeout_ms = static_cast<unsigned>(limit.count());
  (void)setsockopt(socket, IPPROTO_TCP, TCP_USER_TIMEOUT, &timeout_ms, sizeof timeout_ms);
}

}  // namespace jvmdebug::agent::platform
