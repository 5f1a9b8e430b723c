// SPDX-License-Identifier: Apache-2.0
#include "agent/platform/net.h"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <net/if.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <system_error>
#include <unistd.h>
#include <utility>

#include "agent/platform/poll_timeout.h"
#include "agent/platform/posix/sockets.h"
#include "agent/platform/socket_address.h"

namespace jvmdebug::agent::platform {
namespace {

Count outcome_of(ssize_t transferred) {
  if (transferred >= 0) {
    return static_cast<std::size_t>(transferred);
  }
  return std::unexpected(errno == EAGAIN || errno == EWOULDBLOCK ? Stuck::kForNow
                                                                 : Stuck::kForGood);
}

Count receive(SocketHandle socket, std::span<std::uint8_t> into, int flags) {
  ssize_t got = -1;
  do {
    got = recv(socket, into.data(), into.size(), flags);
  } while (got < 0 && errno == EINTR);
  return outcome_of(got);
}

Count send(SocketHandle socket, std::span<const std::uint8_t> bytes, int flags) {
  ssize_t written = -1;
  do {
    written = ::send(socket, bytes.data(), bytes.size(), kNoSignal | flags);
  } while (written < 0 && errno == EINTR);
  return outcome_of(written);
}

template <class Value>
void set_option(SocketHandle socket, int level, int name, const Value& value) {
  (void)setsockopt(socket, level, name, &value, sizeof value);
}

// 0 or the error.
int connect_within(SocketHandle socket, const SocketAddress& target,
                   std::optional<std::chrono::milliseconds> timeout) {
  if (connect(socket, target.plain(), target.size) == 0) {
    return 0;
  }
  if (errno != EINPROGRESS) {
    return errno;
  }
  const auto until = std::chrono::steady_clock::now() + timeout.value_or(std::chrono::hours{24});
  Waited waited = Waited::kInterrupted;
  while (waited == Waited::kInterrupted) {
    const auto left =
        std::chrono::ceil<std::chrono::milliseconds>(until - std::chrono::steady_clock::now());
    waited = wait_for(socket, Ready::kToWrite, timeout ? std::optional(left) : std::nullopt);
  }
  if (waited == Waited::kTimeout) {
    return ETIMEDOUT;
  }
  int outcome = 0;
  socklen_t size = sizeof outcome;
  return getsockopt(socket, SOL_SOCKET, SO_ERROR, &outcome, &size) == 0 ? outcome : errno;
}

std::optional<Endpoint> endpoint_by(int (*get)(int, sockaddr*, socklen_t*), SocketHandle socket) {
  SocketAddress found;
  if (!is_tcp(socket) || get(socket, found.plain(), &found.size) != 0) {
    return std::nullopt;
  }
  return found.endpoint();
}

}  // namespace

std::string error_text(int error) {
  return std::generic_category().message(error);
}

bool start_sockets() {
  return true;
}

std::string lookup_error_text(int code) {
  return gai_strerror(code);
}

bool make_blocking(SocketHandle socket) {
  const int flags = fcntl(socket, F_GETFL);
  return flags >= 0 && fcntl(socket, F_SETFL, flags & ~O_NONBLOCK) == 0;
}

// --- addresses ---------------------------------------------------------------------------------

std::uint32_t interface_number(const std::string& name) {
  return if_nametoindex(name.c_str());
}

// --- making connections ------------------------------------------------------------------------

std::expected<SocketHandle, int> listen_at(const Endpoint& where, int backlog) {
  const SocketAddress address(where);
  const SocketHandle socket = new_socket(address.family(), Blocking::kYes);
  if (socket == kNoSocket) {
    return std::unexpected(errno);
  }
  set_option(socket, SOL_SOCKET, SO_REUSEADDR, 1);
  if (address.family() == AF_INET6) {
    set_option(socket, IPPROTO_IPV6, IPV6_V6ONLY, 0);
  }
  if (bind(socket, address.plain(), address.size) != 0 || listen(socket, backlog) != 0) {
    const int error = errno;
    close_socket(socket);
    return std::unexpected(error);
  }
  return socket;
}

std::expected<Accepted, int> accept(SocketHandle listening) {
  SocketAddress peer;
  const SocketHandle socket = accept_from(listening, peer.plain(), &peer.size);
  if (socket == kNoSocket) {
    return std::unexpected(errno);
  }
  return Accepted{.socket = socket, .peer = peer.endpoint()};
}

AcceptFailure kind_of_accept_failure(int error) {
  switch (error) {
    case EBADF:
    case EFAULT:
    case EINVAL:
    case ENOTSOCK:
    case EOPNOTSUPP:
      return AcceptFailure::kForAllPeers;
    case EMFILE:
    case ENFILE:
    case ENOBUFS:
    case ENOMEM:
      return AcceptFailure::kShortOfSpace;
    default:
      return AcceptFailure::kForThisPeer;
  }
}

std::expected<SocketHandle, int> connect_to(const Endpoint& where,
                                            std::optional<std::chrono::milliseconds> timeout) {
  const SocketAddress address(where);
  const SocketHandle socket = new_socket(address.family(), Blocking::kNo);
  if (socket == kNoSocket) {
    return std::unexpected(errno);
  }
  int error = connect_within(socket, address, timeout);
  if (error == 0 && !make_blocking(socket)) {
    error = errno;
  }
  if (error != 0) {
    close_socket(socket);
    return std::unexpected(error);
  }
  return socket;
}

int connection_refused() {
  return ECONNREFUSED;
}

void close_socket(SocketHandle socket) {
  (void)close(socket);
}

// The following two fail when the peer has already disconnected.
void end_output(SocketHandle socket) {
  (void)shutdown(socket, SHUT_WR);
}

void shut_down(SocketHandle socket) {
  (void)shutdown(socket, SHUT_RDWR);
}

bool can_take_place() {
  return true;
}

// --- reading and writing -----------------------------------------------------------------------

Count send_now(SocketHandle socket, std::span<const std::uint8_t> bytes) {
  return send(socket, bytes, MSG_DONTWAIT);
}

Count send_some(SocketHandle socket, std::span<const std::uint8_t> bytes) {
  return send(socket, bytes, 0);
}

Count receive_now(SocketHandle socket, std::span<std::uint8_t> into) {
  return receive(socket, into, MSG_DONTWAIT);
}

Count receive_some(SocketHandle socket, std::span<std::uint8_t> into) {
  return receive(socket, into, 0);
}

Count peek_now(SocketHandle socket, std::span<std::uint8_t> into) {
  return receive(socket, into, MSG_PEEK | MSG_DONTWAIT);
}

bool peek_byte(SocketHandle socket, std::uint8_t& byte) {
  return receive(socket, std::span(&byte, 1), MSG_PEEK) == Count(1);
}

// --- waiting -----------------------------------------------------------------------------------

Waited wait_for(SocketHandle socket, Ready wanted,
                std::optional<std::chrono::milliseconds> timeout) {
  const short events = wanted == Ready::kToRead ? POLLIN : POLLOUT;
  pollfd waiting{.fd = socket, .events = events, .revents = 0};
  const int ready = poll(&waiting, 1, poll_timeout(timeout));
  if (ready < 0) {
    return errno == EINTR ? Waited::kInterrupted : Waited::kReady;
  }
  return ready > 0 ? Waited::kReady : Waited::kTimeout;
}

Waited wait_to_read(std::span<Readable> sockets, std::optional<std::chrono::milliseconds> timeout) {
  std::vector<pollfd> waiting;
  waiting.reserve(sockets.size());
  for (Readable& each : sockets) {  // poll() leaves kNoSocket out
    each.is_ready = false;
    waiting.push_back({.fd = each.socket, .events = POLLIN, .revents = 0});
  }
  const int ready =
      poll(waiting.data(), static_cast<nfds_t>(waiting.size()), poll_timeout(timeout));
  if (ready < 0 && errno == EINTR) {
    return Waited::kInterrupted;
  }
  for (std::size_t index = 0; index < sockets.size(); ++index) {
    sockets[index].is_ready = ready < 0 || waiting[index].revents != 0;
  }
  return ready != 0 ? Waited::kReady : Waited::kTimeout;
}

Waker::Waker() {
  if (!open_pipe(ends_)) {
    close();
  }
}

Waker::~Waker() {
  close();
}

void Waker::close() {
  for (SocketHandle& end : ends_) {
    if (end != kNoSocket) {
      close_socket(std::exchange(end, kNoSocket));
    }
  }
}

void Waker::wake() const {
  if (ends_[1] != kNoSocket) {
    (void)!write(ends_[1], "", 1);  // fails when it is full, so it is awake
  }
}

// --- what is known of a connection -------------------------------------------------------------

int unread_bytes(SocketHandle socket) {
  int unread = 0;
  (void)ioctl(socket, FIONREAD, &unread);  // fails when the peer is gone
  return unread;
}

std::optional<Endpoint> own_endpoint(SocketHandle socket) {
  return endpoint_by(getsockname, socket);
}

std::optional<Endpoint> peer_endpoint(SocketHandle socket) {
  return endpoint_by(getpeername, socket);
}

void send_small_packets_at_once(SocketHandle socket) {
  set_option(socket, IPPROTO_TCP, TCP_NODELAY, 1);
}

void keep_alive(SocketHandle socket, std::chrono::seconds idle, std::chrono::seconds interval,
                int count) {
  set_option(socket, SOL_SOCKET, SO_KEEPALIVE, 1);
  set_option(socket, IPPROTO_TCP, kKeepAliveIdle, static_cast<int>(idle.count()));
  set_option(socket, IPPROTO_TCP, TCP_KEEPINTVL, static_cast<int>(interval.count()));
  set_option(socket, IPPROTO_TCP, TCP_KEEPCNT, count);
}

}  // namespace jvmdebug::agent::platform
