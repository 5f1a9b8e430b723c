// SPDX-License-Identifier: Apache-2.0
#include "agent/transport/tcp.h"

#include <algorithm>
#include <arpa/inet.h>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <memory>
#include <net/if.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <optional>
#include <poll.h>
#include <span>
#include <string>
#include <sys/socket.h>
#include <system_error>
#include <utility>

namespace jvmdebug::agent::tcp {
namespace {

std::string text_of(const Address& address) {
  const std::string host = address.host.empty() ? "localhost" : address.host;
  return host + ":" + std::to_string(address.port);
}

void send_small_packets_at_once(const Socket& socket) {
  const int on = 1;
  // If it fails, only speed is lost.
  (void)setsockopt(socket.descriptor(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
}

// Limits how much written data waits in the system unsent: by default some megabytes, which are a
// hundred thousand events. A debugger that reads more slowly than events come would have to read
// all of them before it gets the reply to the command that clears their request.
void keep_little_unsent(const Socket& socket) {
  constexpr int kMostUnsent = 128 * 1024;
  // If it fails, only latency is lost.
  (void)setsockopt(socket.descriptor(), IPPROTO_TCP, TCP_NOTSENT_LOWAT, &kMostUnsent,
                   sizeof kMostUnsent);
}

constexpr int kIdle = 60;
constexpr int kInterval = 15;
constexpr int kCount = 4;

// Limits retransmission, if `limited`, to the time after which a silent debugger is given up. While
// sent data is not acknowledged, the system sends no keep-alive probes but retransmits, for a
// quarter of an hour by default.
void limit_retransmission([[maybe_unused]] int descriptor, [[maybe_unused]] bool limited) {
#ifdef TCP_USER_TIMEOUT
  constexpr unsigned kTimeoutMs = 1000 * (kIdle + kInterval * kCount);
  const unsigned timeout_ms = limited ? kTimeoutMs : 0;
  // If it fails, a dead connection lasts long; a UNIX-domain socket has no dead connections.
  (void)setsockopt(descriptor, IPPROTO_TCP, TCP_USER_TIMEOUT, &timeout_ms, sizeof timeout_ms);
#endif
}

// A debugger whose machine or network is gone sends nothing any more. After a minute of silence the
// system begins to ask whether it is alive, and gives it up after two. A debugger that only reads
// slowly still answers.
void notice_silent_peer(const Socket& socket) {
  const int on = 1;
  // If it fails, a dead connection lasts long, which is no reason to refuse a live one.
  (void)setsockopt(socket.descriptor(), SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on);
  (void)setsockopt(socket.descriptor(), IPPROTO_TCP, TCP_KEEPIDLE, &kIdle, sizeof kIdle);
  (void)setsockopt(socket.descriptor(), IPPROTO_TCP, TCP_KEEPINTVL, &kInterval, sizeof kInterval);
  (void)setsockopt(socket.descriptor(), IPPROTO_TCP, TCP_KEEPCNT, &kCount, sizeof kCount);
  limit_retransmission(socket.descriptor(), true);
}

struct AddressListDeleter {
  void operator()(addrinfo* list) const { freeaddrinfo(list); }
};

using AddressList = std::unique_ptr<addrinfo, AddressListDeleter>;

// Finds the interface of a scope, by name or number; as in the JDK's own agent an empty scope means
// none.
std::optional<std::uint32_t> scope_id(const std::string& scope) {
  if (scope.empty()) {
    return 0;
  }
  std::uint32_t number = 0;
  const auto [end, status] = std::from_chars(scope.data(), scope.data() + scope.size(), number);
  if (status == std::errc{} && end == scope.data() + scope.size()) {
    return number;
  }
  number = if_nametoindex(scope.c_str());
  return number == 0 ? std::nullopt : std::optional(number);
}

// Why an address cannot be resolved, and the message of the JDK's own agent.
struct Unresolved {
  std::string why;
  std::string_view jdk_message;
};

std::expected<AddressList, Unresolved> resolve_host(const char* host, const Address& address,
                                                    bool to_listen) {
  addrinfo hints{};
  hints.ai_family = AF_UNSPEC;
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_NUMERICSERV | (to_listen ? AI_PASSIVE : 0);
  const std::string service = std::to_string(address.port);
  addrinfo* list = nullptr;
  if (const int code = getaddrinfo(host, service.c_str(), &hints, &list); code != 0) {
    return std::unexpected(
        Unresolved{.why = gai_strerror(code),
                   .jdk_message = "transport error 202: getaddrinfo: failed to parse address"});
  }
  return AddressList(list);
}

// Resolves `fe80::1%eth0`: the system's resolver accepts an interface name only for a few kinds of
// addresses.
std::expected<AddressList, Unresolved> resolve_scoped(const Address& address, std::size_t percent,
                                                      bool to_listen) {
  const std::string scope = address.host.substr(percent + 1);
  const auto id = scope_id(scope);
  if (!id) {
    return std::unexpected(Unresolved{.why = "there is no network interface " + scope,
                                      .jdk_message = "transport error 103: failed to parse scope"});
  }
  auto list = resolve_host(address.host.substr(0, percent).c_str(), address, to_listen);
  if (!list) {
    return list;
  }
  for (addrinfo* each = list->get(); each != nullptr; each = each->ai_next) {
    if (each->ai_family != AF_INET6) {
      return std::unexpected(
          Unresolved{.why = "only an IPv6 address can name an interface",
                     .jdk_message = "transport error 103: IPv4 address cannot contain scope"});
    }
    reinterpret_cast<sockaddr_in6*>(each->ai_addr)->sin6_scope_id = *id;
  }
  return list;
}

std::expected<AddressList, Unresolved> resolve(const Address& address, bool to_listen) {
  if (const auto percent = address.host.find('%'); percent != std::string::npos) {
    return resolve_scoped(address, percent, to_listen);
  }
  const char* host = address.host.c_str();
  if (address.host.empty()) {
    host = "localhost";
  } else if (address.host == "*") {
    host = nullptr;
  }
  return resolve_host(host, address, to_listen);
}

// Chooses IPv6 for every interface (one socket serves both families) and IPv4 for loopback, as
// libjdwp does.
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
  if (::bind(socket.descriptor(), target.ai_addr, target.ai_addrlen) != 0 ||
      ::listen(socket.descriptor(), kBacklog) != 0) {
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

// Returns a name like `127.0.0.1:40000` or `[::1]:40000`.
std::string name_of(const sockaddr_storage& peer) {
  constexpr std::size_t kMappedPrefix = 12;
  const auto bytes = bytes_of(peer);
  const bool is_mapped =
      std::ranges::all_of(std::span(bytes).first(10), [](auto b) { return b == 0; }) &&
      bytes[10] == 0xff && bytes[11] == 0xff;
  std::array<char, INET6_ADDRSTRLEN> text{};
  const void* const address = is_mapped ? bytes.data() + kMappedPrefix : bytes.data();
  if (inet_ntop(is_mapped ? AF_INET : AF_INET6, address, text.data(), text.size()) == nullptr) {
    return "an unknown address";
  }
  const auto port = peer.ss_family == AF_INET6
                        ? reinterpret_cast<const sockaddr_in6*>(&peer)->sin6_port
                        : reinterpret_cast<const sockaddr_in*>(&peer)->sin_port;
  const std::string host = is_mapped ? text.data() : "[" + std::string(text.data()) + "]";
  return host + ":" + std::to_string(ntohs(port));
}

bool may_connect(const std::vector<Network>& allow, const sockaddr_storage& peer) {
  if (allow.empty()) {
    return true;
  }
  const auto bytes = bytes_of(peer);
  for (const Network& network : allow) {
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

bool is_loopback_target(const sockaddr& target) {
  constexpr std::size_t kMappedPrefix = 12;
  constexpr std::uint8_t kLoopbackNetwork = 127;
  if (target.sa_family == AF_INET) {
    const auto host = ntohl(reinterpret_cast<const sockaddr_in&>(target).sin_addr.s_addr);
    return host >> 24U == kLoopbackNetwork;
  }
  const in6_addr& host = reinterpret_cast<const sockaddr_in6&>(target).sin6_addr;
  return IN6_IS_ADDR_LOOPBACK(&host) ||
         (IN6_IS_ADDR_V4MAPPED(&host) && host.s6_addr[kMappedPrefix] == kLoopbackNetwork);
}

}  // namespace

bool is_loopback(const Address& address) {
  const auto targets = resolve(address, true);
  if (!targets) {
    return true;
  }
  for (const addrinfo* next = targets->get(); next != nullptr; next = next->ai_next) {
    if (!is_loopback_target(*next->ai_addr)) {
      return false;
    }
  }
  return true;
}

std::expected<Listening, TransportError> listen_on(const Address& address) {
  const auto targets = resolve(address, true);
  if (!targets) {
    return std::unexpected(transport_error("cannot listen on", text_of(address),
                                           targets.error().why, targets.error().jdk_message));
  }
  Socket socket;
  int error_number = open_listening(*preferred(targets->get(), address.host == "*"), socket);
  for (const addrinfo* next = targets->get(); error_number != 0 && next != nullptr;
       next = next->ai_next) {
    error_number = open_listening(*next, socket);
  }
  if (error_number != 0) {
    return std::unexpected(
        transport_error("cannot listen on", text_of(address), system_message(error_number),
                        "transport error 202: bind failed: " + system_message(error_number)));
  }
  const auto port = bound_port(socket);
  return Listening{.socket = std::move(socket), .port = port};
}

std::expected<std::optional<Peer>, TransportError> accept_from(const Socket& listening,
                                                               const std::vector<Network>& allow) {
  sockaddr_storage peer{};
  socklen_t size = sizeof peer;
  Socket socket(
      accept4(listening.descriptor(), reinterpret_cast<sockaddr*>(&peer), &size, SOCK_CLOEXEC));
  if (!socket.open()) {
    return failed_accept(errno);
  }
  if (!may_connect(allow, peer)) {
    std::fputs("jvmdebug: a peer that allow= does not name tried to connect; refused\n", stderr);
    return std::nullopt;
  }
  send_small_packets_at_once(socket);
  notice_silent_peer(socket);
  keep_little_unsent(socket);
  return Peer{.socket = std::move(socket), .name = name_of(peer)};
}

void tell_slow_from_gone([[maybe_unused]] int descriptor) {
#ifdef __linux__
  constexpr int kUnanswered = 2;
  tcp_info info{};
  socklen_t size = sizeof info;
  if (getsockopt(descriptor, IPPROTO_TCP, TCP_INFO, &info, &size) == 0) {
    const bool answers = info.tcpi_unacked == 0 && info.tcpi_probes < kUnanswered;
    limit_retransmission(descriptor, !answers);
  }
#endif
}

void has_room_again(int descriptor) {
  limit_retransmission(descriptor, true);
}

bool is_tcp(int descriptor) {
  int protocol = 0;
  socklen_t size = sizeof protocol;
  return getsockopt(descriptor, SOL_SOCKET, SO_PROTOCOL, &protocol, &size) == 0 &&
         protocol == IPPROTO_TCP;
}

std::string own_end(int descriptor) {
  sockaddr_storage address{};
  socklen_t size = sizeof address;
  const bool known = is_tcp(descriptor) &&
                     getsockname(descriptor, reinterpret_cast<sockaddr*>(&address), &size) == 0;
  return known ? name_of(address) : std::string();
}

std::string peer_end(int descriptor) {
  sockaddr_storage address{};
  socklen_t size = sizeof address;
  const bool known = is_tcp(descriptor) &&
                     getpeername(descriptor, reinterpret_cast<sockaddr*>(&address), &size) == 0;
  return known ? name_of(address) : std::string();
}

bool answers(int descriptor, std::chrono::milliseconds lately) {
#ifdef __linux__
  tcp_info info{};
  socklen_t size = sizeof info;
  if (is_tcp(descriptor)) {
    return getsockopt(descriptor, IPPROTO_TCP, TCP_INFO, &info, &size) == 0 &&
           std::cmp_less(info.tcpi_last_ack_recv, lately.count());
  }
#endif
  return true;
}

bool is_local(int descriptor) {
  sockaddr_storage address{};
  socklen_t size = sizeof address;
  auto* const plain = reinterpret_cast<sockaddr*>(&address);
  return getpeername(descriptor, plain, &size) == 0 && is_loopback_target(*plain);
}

bool has_left(int descriptor) {
#ifdef __linux__
  tcp_info info{};
  socklen_t size = sizeof info;
  return getsockopt(descriptor, IPPROTO_TCP, TCP_INFO, &info, &size) == 0 &&
         info.tcpi_state == TCP_CLOSE_WAIT;
#else
  return false;
#endif
}

std::expected<Socket, TransportError> connect_to(const Address& address, const Deadline& deadline) {
  const auto targets = resolve(address, false);
  if (!targets) {
    return std::unexpected(transport_error("cannot connect to", text_of(address),
                                           targets.error().why, targets.error().jdk_message));
  }
  int error_number = ECONNREFUSED;
  for (const addrinfo* next = targets->get(); next != nullptr; next = next->ai_next) {
    Socket socket(::socket(next->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    error_number = socket.open() ? connect_socket(socket, *next, deadline) : errno;
    if (error_number != 0) {
      continue;
    }
    send_small_packets_at_once(socket);
    notice_silent_peer(socket);
    keep_little_unsent(socket);
    if (!make_blocking(socket)) {
      error_number = errno;
      continue;
    }
    return socket;
  }
  return std::unexpected(
      transport_error("cannot connect to", text_of(address), system_message(error_number),
                      "transport error 202: connect failed: " + system_message(error_number)));
}

}  // namespace jvmdebug::agent::tcp
