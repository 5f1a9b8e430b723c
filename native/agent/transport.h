// SPDX-License-Identifier: Apache-2.0
//
// Sockets: listen or connect out, shake hands, then whole JDWP packets in and out. Knows lengths
// and the handshake, nothing of what packets mean and nothing of the VM. Called by session.
#pragma once

#include <chrono>
#include <cstdint>
#include <expected>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "agent/options.h"
#include "codec/packet.h"

namespace jvmdebug::agent {

// What failed, on what, in words for stderr.
struct TransportError {
  std::string message;
  bool timed_out = false;
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

// One debugger that has shaken hands. One thread reads; any thread writes.
class Connection {
 public:
  explicit Connection(Socket socket) : socket_(std::move(socket)) {}

  // The next packet; empty when the peer has gone or has sent an impossible length.
  [[nodiscard]] std::optional<codec::Packet> read_packet();

  // Writes the whole packet. False when the connection is gone; it is shut down then, so that the
  // reading thread ends too.
  bool write_packet(std::span<const std::uint8_t> packet);

  // Wakes the reader and makes further writes fail. Any thread, any number of times.
  void shut_down();

 private:
  [[nodiscard]] bool read_fully(std::span<std::uint8_t> into) const;

  Socket socket_;
  std::mutex write_mutex_;
};

// A bound, listening socket.
class Listener {
 public:
  static std::expected<Listener, TransportError> open(const Address& address);

  [[nodiscard]] std::uint16_t port() const { return port_; }

  // Waits for a peer that may connect (see Options::allow) and shakes hands. Peers that may not, or
  // that send something else, are dropped and the wait goes on.
  [[nodiscard]] std::expected<Socket, TransportError> accept(const Options& options) const;

 private:
  Listener(Socket socket, std::uint16_t port) : socket_(std::move(socket)), port_(port) {}

  Socket socket_;
  std::uint16_t port_ = 0;
};

// Connects to a listening debugger and shakes hands.
[[nodiscard]] std::expected<Socket, TransportError> connect_out(const Options& options);

}  // namespace jvmdebug::agent
