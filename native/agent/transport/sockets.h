// SPDX-License-Identifier: Apache-2.0
//
// What both transports need: a descriptor with an owner, waiting with a deadline, the handshake.
// Used by transport, tcp and unix_socket only.
#pragma once

#include <chrono>
#include <cstdint>
#include <expected>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace jvmdebug::agent {

// What failed, on what, in words for stderr.
struct TransportError {
  std::string message;
  std::string jdk_message = {};  // what the JDK's own agent says of it, which tools look for
};

// A file descriptor that is closed with its owner.
class Socket {
 public:
  Socket() = default;

  explicit Socket(int descriptor) : descriptor_(descriptor) {}

  Socket(Socket&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}

  Socket& operator=(Socket&& other) noexcept;
  Socket(const Socket&) = delete;
  Socket& operator=(const Socket&) = delete;
  ~Socket();

  [[nodiscard]] int descriptor() const { return descriptor_; }

  [[nodiscard]] bool open() const { return descriptor_ >= 0; }

 private:
  int descriptor_ = -1;
};

// Somebody who has connected. The name is for people: an address, or a process of this machine.
struct Peer {
  Socket socket;
  std::string name;
};

// How many may wait to be accepted: silent ones must not fill the queue.
inline constexpr int kBacklog = 64;

using Clock = std::chrono::steady_clock;
using Deadline = std::optional<Clock::time_point>;

[[nodiscard]] Deadline deadline_after(std::optional<std::chrono::milliseconds> timeout);

// Waits until the descriptor is ready; false when the deadline passed first.
[[nodiscard]] bool wait_ready(int descriptor, short events, const Deadline& deadline);

// Whether the peer has closed its side, read or not what it sent before.
[[nodiscard]] bool peer_has_closed(int descriptor);

// A few bytes that fit into any empty buffer; false when they were not taken at once.
[[nodiscard]] bool write_at_once(int descriptor, std::string_view bytes);

// False when the connection is gone.
[[nodiscard]] bool write_fully(int descriptor, std::span<const std::uint8_t> bytes);
[[nodiscard]] bool read_fully(int descriptor, std::span<std::uint8_t> into);

// Both sides send the same 14 bytes, in any order; false when the peer is no debugger or too slow.
[[nodiscard]] bool shake_hands(const Socket& socket, const Deadline& deadline);

// Makes a non-blocking socket a blocking one.
[[nodiscard]] bool make_blocking(const Socket& socket);

// accept() has failed: no peer this time, or an error when it never will accept one. Waits a little
// when the system is short of something.
[[nodiscard]] std::expected<std::optional<Peer>, TransportError> failed_accept(int error_number);

// What the system says of an errno.
[[nodiscard]] std::string system_message(int error_number);

// `what` `where`: `why`
[[nodiscard]] TransportError transport_error(std::string_view what, std::string_view where,
                                             std::string_view why,
                                             std::string_view jdk_message = {});

}  // namespace jvmdebug::agent
