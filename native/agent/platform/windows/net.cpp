// SPDX-License-Identifier: Apache-2.0
//
// Sockets of Windows never block here: what waits does so in WSAPoll(). There is no flag that makes
// one call of recv() or send() not wait.
#include "agent/platform/net.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <winsock2.h>
#include <ws2tcpip.h>
// These need the two above.
#include <mstcpip.h>
#include <windows.h>

#include "agent/platform/poll_timeout.h"
#include "agent/platform/socket_address.h"
#include "agent/platform/windows/errors.h"

namespace jvmdebug::agent::platform {
namespace {

constexpr std::size_t kMostAtOnce = std::size_t{1} << 20U;

Count outcome_of(int transferred) {
  if (transferred >= 0) {
    return static_cast<std::size_t>(transferred);
  }
  return std::unexpected(WSAGetLastError() == WSAEWOULDBLOCK ? Stuck::kForNow : Stuck::kForGood);
}

int length_of(std::size_t size) {
  return static_cast<int>(std::min(size, kMostAtOnce));
}

template <class Value>
void set_option(SocketHandle socket, int level, int name, const Value& value) {
  (void)setsockopt(socket, level, name, reinterpret_cast<const char*>(&value), sizeof value);
}

bool set_blocking(SocketHandle socket, bool blocks) {
  u_long is_on = blocks ? 0 : 1;
  return ioctlsocket(socket, static_cast<long>(FIONBIO), &is_on) == 0;
}

// Makes one that other programs do not inherit; kNoSocket if there is none.
SocketHandle new_socket(int family, int type = SOCK_STREAM) {
  if (!start_sockets()) {
    return kNoSocket;
  }
  const SocketHandle socket =
      WSASocketW(family, type, 0, nullptr, 0, WSA_FLAG_OVERLAPPED | WSA_FLAG_NO_HANDLE_INHERIT);
  if (socket != kNoSocket && !set_blocking(socket, false)) {
    close_socket(socket);
    return kNoSocket;
  }
  return socket;
}

std::unexpected<int> last_error_closing(SocketHandle socket) {
  const int error = WSAGetLastError();
  if (socket != kNoSocket) {
    close_socket(socket);
  }
  return std::unexpected(error);
}

std::optional<Endpoint> endpoint_by(decltype(getsockname)* get, SocketHandle socket) {
  SocketAddress found;
  if (get(socket, found.plain(), &found.size) != 0) {
    return std::nullopt;
  }
  return found.endpoint();
}

Endpoint any_loopback_port() {
  Endpoint loopback{.is_v4 = true};
  loopback.address = *parse_ip("127.0.0.1");
  return loopback;
}

// A datagram socket that sends to itself.
SocketHandle connected_to_itself() {
  const SocketHandle socket = new_socket(AF_INET, SOCK_DGRAM);
  const SocketAddress any(any_loopback_port());
  SocketAddress own;
  if (socket != kNoSocket && (bind(socket, any.plain(), any.size) != 0 ||
                              getsockname(socket, own.plain(), &own.size) != 0 ||
                              connect(socket, own.plain(), own.size) != 0)) {
    close_socket(socket);
    return kNoSocket;
  }
  return socket;
}

}  // namespace

std::string error_text(int error) {
  return text_of_error(static_cast<unsigned long>(error));
}

// Sockets work from the first call here on, and the system counts who uses them.
bool start_sockets() {
  static const bool started = [] {
    WSADATA data{};
    return WSAStartup(MAKEWORD(2, 2), &data) == 0;
  }();
  return started;
}

std::string lookup_error_text(int code) {
  return error_text(code);
}

// --- addresses ---------------------------------------------------------------------------------

// Windows numbers its interfaces and shows the number in each address; a name would need a library
// that nothing else here uses.
std::uint32_t interface_number(const std::string& /*name*/) {
  return 0;
}

// --- making connections ------------------------------------------------------------------------

// Asks for SO_EXCLUSIVEADDRUSE: without it another program could listen at the same port.
std::expected<SocketHandle, int> listen_at(const Endpoint& where, int backlog) {
  const SocketAddress address(where);
  const SocketHandle socket = new_socket(address.family());
  if (socket == kNoSocket) {
    return last_error_closing(socket);
  }
  set_option(socket, SOL_SOCKET, SO_EXCLUSIVEADDRUSE, 1);
  if (address.family() == AF_INET6) {
    set_option(socket, IPPROTO_IPV6, IPV6_V6ONLY, 0);
  }
  if (bind(socket, address.plain(), address.size) != 0 || listen(socket, backlog) != 0) {
    return last_error_closing(socket);
  }
  return socket;
}

std::expected<Accepted, int> accept(SocketHandle listening) {
  SocketAddress peer;
  const SocketHandle socket = ::accept(listening, peer.plain(), &peer.size);
  if (socket == kNoSocket || !set_blocking(socket, false)) {
    return last_error_closing(socket);
  }
  (void)SetHandleInformation(reinterpret_cast<HANDLE>(socket), HANDLE_FLAG_INHERIT, 0);
  return Accepted{.socket = socket, .peer = peer.endpoint()};
}

AcceptFailure kind_of_accept_failure(int error) {
  switch (error) {
    case WSAEFAULT:
    case WSAEINVAL:
    case WSAENOTSOCK:
    case WSAEOPNOTSUPP:
    case WSANOTINITIALISED:
      return AcceptFailure::kForAllPeers;
    case WSAEMFILE:
    case WSAENOBUFS:
      return AcceptFailure::kShortOfSpace;
    default:
      return AcceptFailure::kForThisPeer;
  }
}

// Waits by select(): before Windows 10 2004 WSAPoll() does not tell that an attempt has failed.
std::expected<SocketHandle, int> connect_to(const Endpoint& where,
                                            std::optional<std::chrono::milliseconds> timeout) {
  const SocketAddress address(where);
  const SocketHandle socket = new_socket(address.family());
  if (socket == kNoSocket) {
    return last_error_closing(socket);
  }
  if (connect(socket, address.plain(), address.size) == 0) {
    return socket;
  }
  if (WSAGetLastError() != WSAEWOULDBLOCK) {
    return last_error_closing(socket);
  }
  fd_set writable{};
  fd_set failed{};
  FD_SET(socket, &writable);
  FD_SET(socket, &failed);
  const int limit_ms = poll_timeout(timeout);
  timeval limit{};
  limit.tv_sec = limit_ms / 1000;
  limit.tv_usec = limit_ms % 1000 * 1000;
  const int ready = select(0, nullptr, &writable, &failed, timeout ? &limit : nullptr);
  if (ready < 0) {
    return last_error_closing(socket);
  }
  int outcome = WSAETIMEDOUT;
  int size = sizeof outcome;
  if (ready > 0 &&
      getsockopt(socket, SOL_SOCKET, SO_ERROR, reinterpret_cast<char*>(&outcome), &size) != 0) {
    return last_error_closing(socket);
  }
  if (outcome != 0) {
    close_socket(socket);
    return std::unexpected(outcome);
  }
  return socket;
}

int connection_refused() {
  return WSAECONNREFUSED;
}

// Two ends of a connection over loopback; a stranger that connects in between is told by its port.
std::expected<std::array<SocketHandle, 2>, int> socket_pair() {
  const auto listening = listen_at(any_loopback_port(), 1);
  if (!listening) {
    return std::unexpected(listening.error());
  }
  const auto where = own_endpoint(*listening);
  const auto first = where ? connect_to(*where, std::chrono::seconds{5})
                           : std::expected<SocketHandle, int>(std::unexpected(WSAEINVAL));
  std::expected<Accepted, int> second = std::unexpected(WSAEINVAL);
  if (first && wait_for(*listening, Ready::kToRead, std::chrono::seconds{5}) == Waited::kReady) {
    second = accept(*listening);
  }
  close_socket(*listening);
  const auto own = first ? own_endpoint(*first) : std::nullopt;
  if (first && second && own && own->port == second->peer.port) {
    send_small_packets_at_once(*first);
    send_small_packets_at_once(second->socket);
    return std::array{*first, second->socket};
  }
  if (first) {
    close_socket(*first);
  }
  if (second) {
    close_socket(second->socket);
  }
  return std::unexpected(first ? second.error_or(WSAECONNREFUSED) : first.error());
}

void close_socket(SocketHandle socket) {
  (void)closesocket(socket);
}

// The following two fail when the peer has already disconnected.
void end_output(SocketHandle socket) {
  (void)shutdown(socket, SD_SEND);
}

void shut_down(SocketHandle socket) {
  (void)shutdown(socket, SD_BOTH);
}

// No call makes one socket stand for another.
bool can_take_place() {
  return false;
}

bool take_place_of(SocketHandle /*old*/, SocketHandle /*next*/) {
  return false;
}

// --- reading and writing -----------------------------------------------------------------------

Count send_now(SocketHandle socket, std::span<const std::uint8_t> bytes) {
  return outcome_of(
      send(socket, reinterpret_cast<const char*>(bytes.data()), length_of(bytes.size()), 0));
}

Count receive_now(SocketHandle socket, std::span<std::uint8_t> into) {
  return outcome_of(recv(socket, reinterpret_cast<char*>(into.data()), length_of(into.size()), 0));
}

Count peek_now(SocketHandle socket, std::span<std::uint8_t> into) {
  return outcome_of(
      recv(socket, reinterpret_cast<char*>(into.data()), length_of(into.size()), MSG_PEEK));
}

Count send_some(SocketHandle socket, std::span<const std::uint8_t> bytes) {
  while (true) {
    const auto written = send_now(socket, bytes);
    if (written || written.error() == Stuck::kForGood) {
      return written;
    }
    (void)wait_for(socket, Ready::kToWrite, std::nullopt);
  }
}

Count receive_some(SocketHandle socket, std::span<std::uint8_t> into) {
  while (true) {
    const auto got = receive_now(socket, into);
    if (got || got.error() == Stuck::kForGood) {
      return got;
    }
    (void)wait_for(socket, Ready::kToRead, std::nullopt);
  }
}

bool peek_byte(SocketHandle socket, std::uint8_t& byte) {
  while (true) {
    const auto got = peek_now(socket, std::span(&byte, 1));
    if (got || got.error() == Stuck::kForGood) {
      return got == Count(1);
    }
    (void)wait_for(socket, Ready::kToRead, std::nullopt);
  }
}

// --- waiting -----------------------------------------------------------------------------------

Waited wait_for(SocketHandle socket, Ready wanted,
                std::optional<std::chrono::milliseconds> timeout) {
  WSAPOLLFD waiting{};
  waiting.fd = socket;
  waiting.events = wanted == Ready::kToRead ? POLLRDNORM : POLLWRNORM;
  const int ready = WSAPoll(&waiting, 1, poll_timeout(timeout));
  return ready == 0 ? Waited::kTimeout : Waited::kReady;
}

Waited wait_to_read(std::span<Readable> sockets, std::optional<std::chrono::milliseconds> timeout) {
  std::vector<WSAPOLLFD> waiting;
  std::vector<Readable*> waited_for;
  for (Readable& each : sockets) {
    each.is_ready = false;
    if (each.socket != kNoSocket) {
      WSAPOLLFD next{};
      next.fd = each.socket;
      next.events = POLLRDNORM;
      waiting.push_back(next);
      waited_for.push_back(&each);
    }
  }
  const int ready =
      WSAPoll(waiting.data(), static_cast<ULONG>(waiting.size()), poll_timeout(timeout));
  for (std::size_t index = 0; index < waiting.size(); ++index) {
    waited_for[index]->is_ready = ready < 0 || waiting[index].revents != 0;
  }
  return ready == 0 ? Waited::kTimeout : Waited::kReady;
}

Waker::Waker() : ends_{connected_to_itself(), kNoSocket} {}

Waker::~Waker() {
  close();
}

void Waker::close() {
  if (ends_[0] != kNoSocket) {
    close_socket(ends_[0]);
  }
}

void Waker::wake() const {
  if (ends_[0] != kNoSocket) {
    (void)send(ends_[0], "", 1, 0);
  }
}

// --- what is known of a connection -------------------------------------------------------------

bool peer_has_closed(SocketHandle socket) {
  WSAPOLLFD asked{};
  asked.fd = socket;
  asked.events = POLLRDNORM;
  if (WSAPoll(&asked, 1, 0) <= 0) {
    return false;
  }
  // Of a connection that has ended in order, some versions only tell that it can be read.
  std::uint8_t byte = 0;
  return (asked.revents & (POLLHUP | POLLERR)) != 0 ||
         peek_now(socket, std::span(&byte, 1)) == Count(0);
}

int unread_bytes(SocketHandle socket) {
  u_long unread = 0;
  (void)ioctlsocket(socket, FIONREAD, &unread);  // fails when the peer is gone
  return static_cast<int>(unread);
}

// Windows does not tell.
bool is_all_received(SocketHandle /*socket*/) {
  return true;
}

// There are no others.
bool is_tcp(SocketHandle /*socket*/) {
  return true;
}

std::optional<Endpoint> own_endpoint(SocketHandle socket) {
  return endpoint_by(getsockname, socket);
}

std::optional<Endpoint> peer_endpoint(SocketHandle socket) {
  return endpoint_by(getpeername, socket);
}

// Windows tells what TCP knows of a connection only in some versions.
std::optional<TcpState> tcp_state(SocketHandle /*socket*/) {
  return std::nullopt;
}

void send_small_packets_at_once(SocketHandle socket) {
  set_option(socket, IPPROTO_TCP, TCP_NODELAY, 1);
}

// Windows holds what fits into the send buffer, and no more.
void limit_unsent(SocketHandle socket, int bytes) {
  set_option(socket, SOL_SOCKET, SO_SNDBUF, bytes);
}

void keep_alive(SocketHandle socket, std::chrono::seconds idle, std::chrono::seconds interval,
                int /*count*/) {
  using std::chrono::milliseconds;
  tcp_keepalive wanted{};
  wanted.onoff = 1;
  wanted.keepalivetime = static_cast<ULONG>(milliseconds(idle).count());
  wanted.keepaliveinterval = static_cast<ULONG>(milliseconds(interval).count());
  DWORD returned = 0;
  (void)WSAIoctl(socket, static_cast<DWORD>(SIO_KEEPALIVE_VALS), &wanted, sizeof wanted, nullptr, 0,
                 &returned, nullptr, nullptr);
}

// Windows gives up after some twenty seconds by itself.
void limit_retransmission(SocketHandle /*socket*/, std::chrono::milliseconds /*limit*/) {}

}  // namespace jvmdebug::agent::platform
