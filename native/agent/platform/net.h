// SPDX-License-Identifier: Apache-2.0
//
// Sockets, as far as the transports need them: TCP over IPv4 and IPv6, waiting, reading and writing
// with and without blocking, and what the system knows of a connection. Errors are the numbers of
// the system, with error_text() for people. A function that is told nothing about waiting returns
// at once. Local sockets are in local_socket.h; the functions here serve them as well.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace jvmdebug::agent::platform {

#ifdef _WIN32
using SocketHandle = std::uintptr_t;
#else
using SocketHandle = int;
#endif
inline constexpr auto kNoSocket = static_cast<SocketHandle>(-1);

[[nodiscard]] std::string error_text(int error);

// --- addresses ---------------------------------------------------------------------------------

// An IPv6 address, or an IPv4 one as ::ffff:a.b.c.d.
using IpAddress = std::array<std::uint8_t, 16>;
inline constexpr std::size_t kMappedPrefix = 12;  // before the four bytes of an IPv4 address

struct Endpoint {
  IpAddress address{};
  std::uint16_t port = 0;
  std::uint32_t scope = 0;  // the number of a network interface; 0: none
  bool is_v4 = false;       // the socket is one of IPv4
};

// `127.0.0.1` or `fe80::1`, without brackets. Empty if there is no such address.
[[nodiscard]] std::optional<IpAddress> parse_ip(const std::string& text);
[[nodiscard]] bool is_mapped_v4(const IpAddress& address);
[[nodiscard]] bool is_loopback(const IpAddress& address);
// `127.0.0.1` also for an IPv4 address that is written as IPv6; `fe80::1` without brackets.
[[nodiscard]] std::string ip_text(const IpAddress& address);

// The number of a network interface; 0 if there is none of that name.
[[nodiscard]] std::uint32_t interface_number(const std::string& name);

// Finds the addresses of a host, in the order of the system; `host` is null for every interface.
// The error is the system's text.
[[nodiscard]] std::expected<std::vector<Endpoint>, std::string> resolve(const char* host,
                                                                        std::uint16_t port,
                                                                        bool to_listen);

// --- making connections ------------------------------------------------------------------------

[[nodiscard]] std::expected<SocketHandle, int> listen_at(const Endpoint& where, int backlog);

struct Accepted {
  SocketHandle socket = kNoSocket;
  Endpoint peer;
};

[[nodiscard]] std::expected<Accepted, int> accept(SocketHandle listening);

enum class AcceptFailure : std::uint8_t {
  kForThisPeer,   // a signal, or the peer has already disconnected
  kForAllPeers,   // no peer will ever be accepted
  kShortOfSpace,  // the program may free something, and the next one is accepted
};

[[nodiscard]] AcceptFailure kind_of_accept_failure(int error);

// Connects within that time; the error is that of the system, or the one of a time that is over.
[[nodiscard]] std::expected<SocketHandle, int> connect_to(
    const Endpoint& where, std::optional<std::chrono::milliseconds> timeout);
// The error of an attempt before there was one: nothing listens there.
[[nodiscard]] int connection_refused();

// Two local sockets that are connected to each other.
[[nodiscard]] std::expected<std::array<SocketHandle, 2>, int> socket_pair();

void close_socket(SocketHandle socket);
// Sends nothing more, and receives what the peer sends.
void end_output(SocketHandle socket);
// The same in both directions; wakes a thread that waits for the peer of a connection.
void shut_down(SocketHandle socket);

// Whether take_place_of() works.
[[nodiscard]] bool can_take_place();
// Lets `old` stand for the connection of `next` from now on, also for threads that use it now. Both
// have to be closed.
[[nodiscard]] bool take_place_of(SocketHandle old, SocketHandle next);

// --- reading and writing -----------------------------------------------------------------------

enum class Stuck : std::uint8_t {
  kForNow,  // nothing is there to read, or there is no room to write
  kForGood,
};

using Count = std::expected<std::size_t, Stuck>;

// Writes as much as there is room for now.
[[nodiscard]] Count send_now(SocketHandle socket, std::span<const std::uint8_t> bytes);
// Waits for room, and writes some.
[[nodiscard]] Count send_some(SocketHandle socket, std::span<const std::uint8_t> bytes);
// Reads what is there; 0 when the peer sends nothing more.
[[nodiscard]] Count receive_now(SocketHandle socket, std::span<std::uint8_t> into);
// Waits for something, and reads it; 0 when the peer sends nothing more.
[[nodiscard]] Count receive_some(SocketHandle socket, std::span<std::uint8_t> into);
// Reads what is there and leaves it there.
[[nodiscard]] Count peek_now(SocketHandle socket, std::span<std::uint8_t> into);
// Waits for a byte and leaves it there; false when there is none any more.
[[nodiscard]] bool peek_byte(SocketHandle socket, std::uint8_t& byte);

// --- waiting -----------------------------------------------------------------------------------

enum class Ready : std::uint8_t { kToRead, kToWrite };

enum class Waited : std::uint8_t {
  kReady,  // or in error, which the next call reports
  kTimeout,
  kInterrupted,
};

// `timeout`: empty for no limit.
[[nodiscard]] Waited wait_for(SocketHandle socket, Ready wanted,
                              std::optional<std::chrono::milliseconds> timeout);

// Waits until one of the sockets can be read, and marks those that can.
struct Readable {
  SocketHandle socket = kNoSocket;
  bool is_ready = false;
};

[[nodiscard]] Waited wait_to_read(std::span<Readable> sockets,
                                  std::optional<std::chrono::milliseconds> timeout);

// Wakes a thread that waits in wait_to_read(): what it has for sockets is readable from then on.
class Waker {
 public:
  Waker();
  Waker(const Waker&) = delete;
  Waker& operator=(const Waker&) = delete;
  Waker(Waker&&) = delete;
  Waker& operator=(Waker&&) = delete;
  ~Waker();

  // kNoSocket if the system had none.
  [[nodiscard]] SocketHandle socket() const { return ends_[0]; }

  // Any thread, any number of times.
  void wake() const;

 private:
  void close();

  std::array<SocketHandle, 2> ends_{kNoSocket, kNoSocket};
};

// --- what is known of a connection -------------------------------------------------------------

// Whether the peer has closed its side, even if what it sent before is not read yet.
[[nodiscard]] bool peer_has_closed(SocketHandle socket);
// How many bytes wait to be read; 0 if that is unknown.
[[nodiscard]] int unread_bytes(SocketHandle socket);
// Whether the peer's system has received all that was written. True if the system cannot tell.
[[nodiscard]] bool is_all_received(SocketHandle socket);

[[nodiscard]] bool is_tcp(SocketHandle socket);
// Empty for a socket that is not TCP, or not connected.
[[nodiscard]] std::optional<Endpoint> own_endpoint(SocketHandle socket);
[[nodiscard]] std::optional<Endpoint> peer_endpoint(SocketHandle socket);

struct TcpState {
  bool is_all_acknowledged = false;
  bool answers_probes = false;
  bool peer_has_ended = false;               // and our side is open
  std::chrono::milliseconds since_answer{};  // since the peer's system has acknowledged something
};

// Empty where the system does not tell, and for a socket that is not TCP.
[[nodiscard]] std::optional<TcpState> tcp_state(SocketHandle socket);

// The following change how a TCP connection behaves. If one fails, or the system does not have it,
// only speed or an early notice is lost.

void send_small_packets_at_once(SocketHandle socket);
// Limits how much written data waits in the system unsent.
void limit_unsent(SocketHandle socket, int bytes);
// Has the system ask, after that time of silence, whether the peer is alive.
void keep_alive(SocketHandle socket, std::chrono::seconds idle, std::chrono::seconds interval,
                int count);
// Limits for how long sent data may be unacknowledged; 0: as long as the system thinks.
void limit_retransmission(SocketHandle socket, std::chrono::milliseconds limit);

}  // namespace jvmdebug::agent::platform
