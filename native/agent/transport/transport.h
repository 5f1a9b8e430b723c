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
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "agent/locks/ranked_mutex.h"
#include "agent/options/options.h"
#include "agent/transport/handshakes.h"
#include "agent/transport/sockets.h"
#include "agent/transport/unix_socket.h"
#include "codec/packet.h"
#include "codec/reader.h"
#include "codec/writer.h"

namespace jvmdebug::agent {

// One debugger that has shaken hands. One thread reads; any thread writes.
class Connection {
 public:
  Connection(Peer peer, bool modified_utf8)
      : socket_(std::move(peer.socket)),
        peer_(std::move(peer.name)),
        modified_utf8_(modified_utf8) {}

  // Who it is, for people.
  [[nodiscard]] const std::string& peer() const { return peer_; }

  [[nodiscard]] Clock::time_point since() const { return since_; }

  // The next packet; empty when the peer has gone, has sent a header that is none, or announces
  // more than `longest` bytes.
  [[nodiscard]] std::optional<codec::Packet> read_packet(std::size_t longest);

  // Writes the whole packet. False when the connection is gone, and it is shut down then, so that
  // the reading thread ends too; false also after end_output().
  bool write_packet(std::span<const std::uint8_t> packet);

  // The same while the VM stands still: a peer that reads nothing for some seconds is given up.
  bool write_promptly(std::span<const std::uint8_t> packet);

  // Whether a command waits to be read that the peer sent, among the next ones. The thread that
  // reads, or one that it waits for.
  [[nodiscard]] bool is_asked(std::uint8_t command_set, std::uint8_t command) const;

  // Writes a packet that is the last one, if the peer takes it at once.
  void write_last(std::span<const std::uint8_t> packet);

  // Gives up, from now on, a peer that reads nothing for some seconds: somebody wants to go on.
  // Before, it may take as long as it likes. Any thread.
  void shorten_timeouts() { has_short_timeouts_ = true; }

  // What has not been written then is given up, and the connection with it: the VM ends. Nothing:
  // no more. Any thread.
  void give_up_at(const Deadline& when) { gives_up_at_ = when.value_or(Clock::time_point::max()); }

  // Whether the peer's system has all that was written, so that it is read there even if this
  // process ends now. True where the system does not tell.
  [[nodiscard]] bool is_delivered() const;

  // The goodbye, in two steps. A socket that is shut down for both ways, or closed, while the peer
  // still sends answers with a reset, and under load a reset can overtake what was sent last. So
  // only the output ends at first: the peer reads all of it, sees the end and closes.
  // Any thread, any number of times.
  void end_output();

  [[nodiscard]] bool output_has_ended() const { return output_has_ended_; }

  // Whether nothing more will be asked here: one of both sides has ended its output.
  [[nodiscard]] bool is_over() const;

  // Drops what the peer still sends until it closes, or until the deadline, which is false. The
  // thread that reads.
  [[nodiscard]] bool drain(Clock::time_point deadline);

  // Wakes the reader and makes further writes fail. Any thread, any number of times.
  void shut_down();

  // For what travels here: they know how its strings are encoded (mutf8=).
  [[nodiscard]] codec::Writer writer() const;
  [[nodiscard]] codec::Reader reader(std::span<const std::uint8_t> payload) const;

 private:
  [[nodiscard]] bool write_all(std::span<const std::uint8_t> bytes, bool is_urgent) const;
  [[nodiscard]] bool wait_for_room(bool is_urgent) const;
  bool write(std::span<const std::uint8_t> packet, bool is_urgent);

  Socket socket_;
  const std::string peer_;
  const Clock::time_point since_ = Clock::now();
  bool modified_utf8_;
  std::atomic<bool> has_short_timeouts_ = false;
  std::atomic<Clock::time_point> gives_up_at_ = Clock::time_point::max();
  std::atomic<bool> output_has_ended_ = false;
  RankedMutex<Rank::kConnection, std::timed_mutex> write_mutex_;
};

// A bound, listening socket. Any thread may ask for its address and remove its file.
class Listener {
 public:
  static std::expected<std::shared_ptr<Listener>, TransportError> open(const Address& address);

  // The address with the port that was chosen.
  [[nodiscard]] const Address& address() const { return address_; }

  // Waits for a peer that may connect (see Options::allow) and greets as a debugger does. Peers
  // that may not, or that send something else, are dropped and the wait goes on. One thread.
  [[nodiscard]] std::expected<Greeting, TransportError> accept(
      const std::vector<Network>& allow, std::optional<std::chrono::milliseconds> timeout);

  // Ends accept() with an error, now or later, and removes the file. Any thread.
  void close() const;

  // The process ends: no file is left behind.
  void remove_file() const { file_.remove(); }

 private:
  Listener(Socket socket, Address address, unix_socket::SocketFile file);

  Socket socket_;
  Handshakes handshakes_;
  Address address_;
  unix_socket::SocketFile file_;
};

// Connects to a listening debugger and shakes hands.
[[nodiscard]] std::expected<Peer, TransportError> connect_out(const Options& options);

}  // namespace jvmdebug::agent
