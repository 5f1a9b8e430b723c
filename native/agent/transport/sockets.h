// SPDX-License-Identifier: Apache-2.0
//
// What all transports need: an owned descriptor, waiting with a deadline, the handshake. Used by
// transport, tcp and unix_socket only.
#pragma once

#include <chrono>
#include <cstdint>
#include <expected>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "agent/options/role.h"
#include "agent/platform/net.h"

namespace jvmdebug::agent {

// A failure and its object, as a text for stderr.
struct TransportError {
  std::string message;
  std::string jdk_message = {};  // the message of the JDK's own agent, which tools look for
};

// A socket that is closed by its destructor.
class Socket {
 public:
  using Descriptor = platform::SocketHandle;

  Socket() = default;

  explicit Socket(Descriptor descriptor) : descriptor_(descriptor) {}

  Socket(Socket&& other) noexcept
      : descriptor_(std::exchange(other.descriptor_, platform::kNoSocket)) {}

  Socket& operator=(Socket&& other) noexcept;
  Socket(const Socket&) = delete;
  Socket& operator=(const Socket&) = delete;
  ~Socket();

  [[nodiscard]] Descriptor descriptor() const { return descriptor_; }

  [[nodiscard]] bool open() const { return descriptor_ != platform::kNoSocket; }

 private:
  Descriptor descriptor_ = platform::kNoSocket;
};

// A connected peer. The name is for people: an address, or a process of this machine.
struct Peer {
  Socket socket;
  std::string name;
  std::function<void()> end_of_link = {};  // called when the socket is shut down; see LibraryLink
  Role role = Role::kDebug;                // what it may do
};

// How many peers may wait to be accepted; silent ones must not fill the queue.
inline constexpr int kBacklog = 64;

using Clock = std::chrono::steady_clock;
using Deadline = std::optional<Clock::time_point>;

[[nodiscard]] Deadline deadline_after(std::optional<std::chrono::milliseconds> timeout);

// Returns the time until the deadline, at least 0; empty for no limit.
[[nodiscard]] std::optional<std::chrono::milliseconds> time_until(const Deadline& deadline);

// Waits until the socket is ready; false when the deadline passed first.
[[nodiscard]] bool wait_ready(Socket::Descriptor descriptor, platform::Ready wanted,
                              const Deadline& deadline);

// Writes a few bytes, which fit into any empty buffer; false when the system did not take them at
// once.
[[nodiscard]] bool write_at_once(Socket::Descriptor descriptor, std::string_view bytes);

// Writes all bytes; false when the connection is gone.
[[nodiscard]] bool write_fully(Socket::Descriptor descriptor, std::span<const std::uint8_t> bytes);
[[nodiscard]] bool read_fully(Socket::Descriptor descriptor, std::span<std::uint8_t> into);

// Handles a failure of accept(): returns no peer this time, or an error if no peer will ever be
// accepted. Waits a little when the system is short of a resource.
[[nodiscard]] std::expected<std::optional<Peer>, TransportError> failed_accept(int error_number);

// Makes the text `what` `where`: `why`.
[[nodiscard]] TransportError transport_error(std::string_view what, std::string_view where,
                                             std::string_view why,
                                             std::string_view jdk_message = {});

}  // namespace jvmdebug::agent
