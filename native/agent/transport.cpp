// SPDX-License-Identifier: Apache-2.0
#include "agent/transport.h"

#include <algorithm>
#include <arpa/inet.h>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <memory>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <string_view>
#include <sys/socket.h>
#include <system_error>
#include <unistd.h>

namespace jvmdebug::agent {
namespace {

using Clock = std::chrono::steady_clock;
using Deadline = std::optional<Clock::time_point>;

using codec::kHandshake;
// A peer that connects and says nothing must not keep others out.
constexpr auto kHandshakeTimeout = std::chrono::seconds{5};

std::string system_message(int error_number) {
  return std::generic_category().message(error_number);
}

std::string text_of(const Address& address) {
  const std::string host = address.host.empty() ? "localhost" : address.host;
  return host + ":" + std::to_string(address.port);
}

TransportError failed(std::string_view what, const Address& address, std::string_view why) {
  return {.message = std::string(what) + " " + text_of(address) + ": " + std::string(why)};
}

Deadline deadline_after(std::optional<std::chrono::milliseconds> timeout) {
  if (!timeout) {
    return std::nullopt;
  }
  return Clock::now() + *timeout;
}

// Waits until the descriptor is ready; false when the deadline passed first.
bool wait_ready(int descriptor, short events, const Deadline& deadline) {
  while (true) {
    int remaining_ms = -1;
    if (deadline) {
      const auto left =
          std::chrono::ceil<std::chrono::milliseconds>(*deadline - Clock::now()).count();
      if (left <= 0) {
        return false;
      }
      remaining_ms = static_cast<int>(std::min<std::int64_t>(left, 1'000'000));
    }
    pollfd waiting{.fd = descriptor, .events = events, .revents = 0};
    const int ready = poll(&waiting, 1, remaining_ms);
    if (ready > 0) {
      return true;
    }
    if (ready < 0 && errno != EINTR) {
      return true;  // the call that follows reports what is wrong
    }
  }
}

bool write_fully(int descriptor, std::span<const std::uint8_t> bytes) {
  while (!bytes.empty()) {
    const auto written = send(descriptor, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (written < 0 && errno == EINTR) {
      continue;
    }
    if (written <= 0) {
      return false;
    }
    bytes = bytes.subspan(static_cast<std::size_t>(written));
  }
  return true;
}

// Both sides send the same 14 bytes; the debugger goes first when it connects to us, and it also
// may when we connect to it, so that order does not matter.
bool shake_hands(const Socket& socket, const Deadline& deadline) {
  const auto* greeting = reinterpret_cast<const std::uint8_t*>(kHandshake.data());
  std::array<char, kHandshake.size()> received{};
  std::size_t size = 0;
  while (size < received.size()) {
    if (!wait_ready(socket.descriptor(), POLLIN, deadline)) {
      return false;
    }
    const auto got = recv(socket.descriptor(), received.data() + size, received.size() - size, 0);
    if (got < 0 && errno == EINTR) {
      continue;
    }
    if (got <= 0) {
      return false;
    }
    size += static_cast<std::size_t>(got);
    if (std::string_view(received.data(), size) != kHandshake.substr(0, size)) {
      return false;
    }
  }
  return write_fully(socket.descriptor(), {greeting, kHandshake.size()});
}

void send_small_packets_at_once(const Socket& socket) {
  const int on = 1;
  // Only costs speed when it fails.
  (void)setsockopt(socket.descriptor(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
}

struct AddressListDeleter {
  void operator()(addrinfo* list) const { freeaddrinfo(list); }
};

using AddressList = std::unique_ptr<addrinfo, AddressListDeleter>;

std::expected<AddressList, std::string> resolve(const Address& address, bool to_listen) {
  addrinfo hints{};
  hints.ai_family = AF_UNSPEC;
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_NUMERICSERV | (to_listen ? AI_PASSIVE : 0);
  const char* host = address.host.c_str();
  if (address.host.empty()) {
    host = "localhost";
  } else if (address.host == "*") {
    host = nullptr;
  }
  const std::string service = std::to_string(address.port);
  addrinfo* list = nullptr;
  if (const int code = getaddrinfo(host, service.c_str(), &hints, &list); code != 0) {
    return std::unexpected(std::string(gai_strerror(code)));
  }
  return AddressList(list);
}

// IPv6 for every interface (one socket serves both families), IPv4 for loopback, as libjdwp
// chooses.
const addrinfo* preferred(const addrinfo* list, bool every_interface) {
  const int family = every_interface ? AF_INET6 : AF_INET;
  for (const addrinfo* candidate = list; candidate != nullptr; candidate = candidate->ai_next) {
    if (candidate->ai_family == family) {
      return candidate;
    }
  }
  return list;
}

int open_listening(const addrinfo& target, Socket& socket) {
  socket = Socket(::socket(target.ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (!socket.open()) {
    return errno;
  }
  const int on = 1;
  const int off = 0;
  (void)setsockopt(socket.descriptor(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  if (target.ai_family == AF_INET6) {
    (void)setsockopt(socket.descriptor(), IPPROTO_IPV6, IPV6_V6ONLY, &off, sizeof off);
  }
  if (bind(socket.descriptor(), target.ai_addr, target.ai_addrlen) != 0 ||
      listen(socket.descriptor(), 1) != 0) {
    return errno;
  }
  return 0;
}

std::uint16_t bound_port(const Socket& socket) {
  sockaddr_storage address{};
  socklen_t size = sizeof address;
  if (getsockname(socket.descriptor(), reinterpret_cast<sockaddr*>(&address), &size) != 0) {
    return 0;
  }
  if (address.ss_family == AF_INET6) {
    return ntohs(reinterpret_cast<const sockaddr_in6*>(&address)->sin6_port);
  }
  return ntohs(reinterpret_cast<const sockaddr_in*>(&address)->sin_port);
}

std::array<std::uint8_t, 16> bytes_of(const sockaddr_storage& peer) {
  std::array<std::uint8_t, 16> bytes{};
  if (peer.ss_family == AF_INET6) {
    std::memcpy(bytes.data(), &reinterpret_cast<const sockaddr_in6*>(&peer)->sin6_addr, 16);
  } else {
    bytes[10] = bytes[11] = 0xff;
    std::memcpy(bytes.data() + 12, &reinterpret_cast<const sockaddr_in*>(&peer)->sin_addr, 4);
  }
  return bytes;
}

bool may_connect(const Options& options, const sockaddr_storage& peer) {
  if (options.allow.empty()) {
    return true;
  }
  const auto bytes = bytes_of(peer);
  for (const Network& network : options.allow) {
    if (network.contains(bytes)) {
      return true;
    }
  }
  return false;
}

// Connects without blocking longer than the deadline; 0 or the error number.
int connect_socket(const Socket& socket, const addrinfo& target, const Deadline& deadline) {
  if (connect(socket.descriptor(), target.ai_addr, target.ai_addrlen) == 0) {
    return 0;
  }
  if (errno != EINPROGRESS) {
    return errno;
  }
  if (!wait_ready(socket.descriptor(), POLLOUT, deadline)) {
    return ETIMEDOUT;
  }
  int outcome = 0;
  socklen_t size = sizeof outcome;
  if (getsockopt(socket.descriptor(), SOL_SOCKET, SO_ERROR, &outcome, &size) != 0) {
    return errno;
  }
  return outcome;
}

// Back to blocking mode, then the handshake.
std::expected<Socket, TransportError> finish_connect(Socket socket, const Options& options) {
  const int flags = fcntl(socket.descriptor(), F_GETFL);
  if (flags < 0 || fcntl(socket.descriptor(), F_SETFL, flags & ~O_NONBLOCK) != 0) {
    return std::unexpected(
        failed("cannot use the socket to", options.address, system_message(errno)));
  }
  const auto greeting_time = options.timeout.value_or(kHandshakeTimeout);
  if (!shake_hands(socket, Clock::now() + greeting_time)) {
    return std::unexpected(failed("no JDWP handshake from", options.address,
                                  "what listens there is no debugger, or it was too slow"));
  }
  return socket;
}

}  // namespace

Socket& Socket::operator=(Socket&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  return *this;
}

Socket::~Socket() {
  if (descriptor_ >= 0) {
    close(descriptor_);
  }
}

bool Connection::read_fully(std::span<std::uint8_t> into) const {
  while (!into.empty()) {
    const auto got = recv(socket_.descriptor(), into.data(), into.size(), 0);
    if (got < 0 && errno == EINTR) {
      continue;
    }
    if (got <= 0) {
      return false;
    }
    into = into.subspan(static_cast<std::size_t>(got));
  }
  return true;
}

std::optional<codec::Packet> Connection::read_packet() {
  std::array<std::uint8_t, codec::kHeaderSize> bytes{};
  if (!read_fully(bytes)) {
    return std::nullopt;
  }
  const auto header = codec::read_header(bytes);
  if (!header) {
    std::fputs("jvmdebug: the debugger sent a packet of an impossible length; disconnected\n",
               stderr);
    return std::nullopt;
  }
  codec::Packet packet{.header = *header, .payload = {}};
  // Grown as bytes arrive, so that a length alone cannot make the VM's process take memory.
  constexpr std::size_t kChunk = std::size_t{1024} * 1024;
  while (packet.payload.size() < header->payload_size()) {
    const std::size_t begin = packet.payload.size();
    packet.payload.resize(std::min(header->payload_size(), begin + kChunk));
    if (!read_fully(std::span(packet.payload).subspan(begin))) {
      return std::nullopt;
    }
  }
  return packet;
}

bool Connection::write_packet(std::span<const std::uint8_t> packet) {
  const std::scoped_lock lock(write_mutex_);
  if (write_fully(socket_.descriptor(), packet)) {
    return true;
  }
  shut_down();
  return false;
}

void Connection::shut_down() {
  // Fails when the peer has gone already, which is what is wanted.
  (void)shutdown(socket_.descriptor(), SHUT_RDWR);
}

std::expected<Listener, TransportError> Listener::open(const Address& address) {
  const auto targets = resolve(address, true);
  if (!targets) {
    return std::unexpected(failed("cannot listen on", address, targets.error()));
  }
  Socket socket;
  int error_number = open_listening(*preferred(targets->get(), address.host == "*"), socket);
  for (const addrinfo* next = targets->get(); error_number != 0 && next != nullptr;
       next = next->ai_next) {
    error_number = open_listening(*next, socket);
  }
  if (error_number != 0) {
    return std::unexpected(failed("cannot listen on", address, system_message(error_number)));
  }
  const auto port = bound_port(socket);
  return Listener(std::move(socket), port);
}

std::expected<Socket, TransportError> Listener::accept(const Options& options) const {
  const auto deadline = deadline_after(options.timeout);
  while (true) {
    if (!wait_ready(socket_.descriptor(), POLLIN, deadline)) {
      return std::unexpected(TransportError{
          .message = "no debugger connected within timeout=" +
                     std::to_string(options.timeout.value_or(std::chrono::milliseconds{}).count()),
          .timed_out = true});
    }
    sockaddr_storage peer{};
    socklen_t size = sizeof peer;
    Socket socket(
        accept4(socket_.descriptor(), reinterpret_cast<sockaddr*>(&peer), &size, SOCK_CLOEXEC));
    if (!socket.open()) {
      if (errno == EINTR || errno == ECONNABORTED || errno == EAGAIN) {
        continue;
      }
      return std::unexpected(
          TransportError{.message = "cannot accept a debugger: " + system_message(errno)});
    }
    if (!may_connect(options, peer)) {
      std::fputs("jvmdebug: a peer that allow= does not name tried to connect; refused\n", stderr);
      continue;
    }
    send_small_packets_at_once(socket);
    if (shake_hands(socket, Clock::now() + kHandshakeTimeout)) {
      return socket;
    }
  }
}

std::expected<Socket, TransportError> connect_out(const Options& options) {
  const auto deadline = deadline_after(options.timeout);
  const auto targets = resolve(options.address, false);
  if (!targets) {
    return std::unexpected(failed("cannot connect to", options.address, targets.error()));
  }
  int error_number = ECONNREFUSED;
  for (const addrinfo* next = targets->get(); next != nullptr; next = next->ai_next) {
    Socket socket(::socket(next->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    if (!socket.open()) {
      error_number = errno;
      continue;
    }
    error_number = connect_socket(socket, *next, deadline);
    if (error_number != 0) {
      continue;
    }
    send_small_packets_at_once(socket);
    return finish_connect(std::move(socket), options);
  }
  auto error = failed("cannot connect to", options.address, system_message(error_number));
  error.timed_out = error_number == ETIMEDOUT;
  return std::unexpected(std::move(error));
}

}  // namespace jvmdebug::agent
