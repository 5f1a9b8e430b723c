// SPDX-License-Identifier: Apache-2.0
//
// Connections: listen or connect out, shake hands, then whole JDWP packets in and out. Knows
// lengths and the handshake, nothing of what packets mean and nothing of the VM. Called by session.
// What is special to TCP and to UNIX-domain sockets is in tcp and unix_socket.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "agent/locks/ranked_mutex.h"
#include "agent/options/options.h"
#include "agent/transport/sockets.h"
#include "agent/transport/unix_socket.h"
#include "codec/packet.h"
#include "codec/reader.h"
#include "codec/writer.h"

namespace jvmdebug::agent {

// One debugger that has shaken hands. One thread reads; any thread writes.
class Connection {
 public:
  Connection(Socket socket, bool modified_utf8)
      : socket_(std::move(socket)), modified_utf8_(modified_utf8) {}

  // The next packet; empty when the peer has gone, has sent a header that is none, or announces
  // more than `longest` bytes.
  [[nodiscard]] std::optional<codec::Packet> read_packet(std::size_t longest);

  // Writes the whole packet. False when the connection is gone, and it is shut down then, so that
  // the reading thread ends too; false also after end_output().
  bool write_packet(std::span<const std::uint8_t> packet);

  // From now on a peer that reads nothing for some seconds is given up: the VM wants to end.
  // Before, it may take as long as it likes. Any thread.
  void hurry() { hurried_ = true; }

  // The goodbye, in two steps. A socket that is shut down for both ways, or closed, while the peer
  // still sends answers with a reset, and under load a reset can overtake what was sent last. So
  // only the output ends at first: the peer reads all of it, sees the end and closes.
  // Any thread, any number of times.
  void end_output();

  [[nodiscard]] bool output_has_ended() const { return output_has_ended_; }

  // Drops what the peer still sends until it closes, or until the deadline. The thread that reads.
  void drain(Clock::time_point deadline);

  // Wakes the reader and makes further writes fail. Any thread, any number of times.
  void shut_down();

  // For what travels here: they know how its strings are encoded (mutf8=).
  [[nodiscard]] codec::Writer writer() const;
  [[nodiscard]] codec::Reader reader(std::span<const std::uint8_t> payload) const;

 private:
  [[nodiscard]] bool write_all(std::span<const std::uint8_t> bytes) const;
  [[nodiscard]] bool wait_for_room() const;

  Socket socket_;
  bool modified_utf8_;
  std::atomic<bool> hurried_ = false;
  std::atomic<bool> output_has_ended_ = false;
  RankedMutex<Rank::kConnection> write_mutex_;
};

// A bound, listening socket. Any thread may ask for its address and remove its file.
class Listener {
 public:
  static std::expected<std::shared_ptr<Listener>, TransportError> open(const Address& address);

  // With the port that was chosen.
  [[nodiscard]] const Address& address() const { return address_; }

  // Waits for a peer that may connect (see Options::allow) and shakes hands. Peers that may not, or
  // that send something else, are dropped and the wait goes on.
  [[nodiscard]] std::expected<Socket, TransportError> accept(
      const std::vector<Network>& allow, std::optional<std::chrono::milliseconds> timeout) const;

  // The process ends: no file is left behind.
  void remove_file() const { file_.remove(); }

 private:
  Listener(Socket socket, Address address, unix_socket::SocketFile file);

  Socket socket_;
  Address address_;
  unix_socket::SocketFile file_;
};

// Connects to a listening debugger and shakes hands.
[[nodiscard]] std::expected<Socket, TransportError> connect_out(const Options& options);

}  // namespace jvmdebug::agent
