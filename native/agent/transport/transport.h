// SPDX-License-Identifier: Apache-2.0
//
// Connections: listen or connect out, shake hands, then whole JDWP packets in and out. Knows
// lengths and the handshake, but not the meaning of packets, and not the VM. Called by session. The
// parts specific to TCP and to UNIX-domain sockets are in socket_listener, tcp and unix_socket,
// those of transport libraries in library_listener, library_link and library.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <functional>
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
#include "agent/transport/link_watch.h"
#include "agent/transport/sent_packets.h"
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
        end_of_link_(std::move(peer.end_of_link)),
        role_(peer.role),
        modified_utf8_(modified_utf8) {}

  // The name of the peer, for people.
  [[nodiscard]] const std::string& peer() const { return peer_; }

  // What the peer may do, by its token.
  [[nodiscard]] Role role() const { return role_; }

  [[nodiscard]] Clock::time_point since() const { return since_; }

  // Returns the next command; empty when the peer has disconnected, has sent an invalid header, or
  // announces more than `longest` bytes.
  [[nodiscard]] std::optional<codec::Packet> read_packet(std::size_t longest);

  // Waits until read_packet() has something to read or to tell; false when the time is over. On the
  // reading thread.
  [[nodiscard]] bool wait_to_read(Clock::time_point until) const {
    return wait_ready(socket_.descriptor(), platform::Ready::kToRead, until);
  }

  // Writes the whole packet. If the connection is gone, returns false and shuts it down, so that
  // the reading thread ends too. False also after end_output().
  bool write_packet(std::span<const std::uint8_t> packet);

  // The same while the VM is stopped: a peer that reads nothing for some seconds is given up.
  bool write_promptly(std::span<const std::uint8_t> packet);

  // Whether the peer has sent this command and it is among the next ones to be read. On the reading
  // thread, or on one for which that waits.
  [[nodiscard]] bool is_asked(std::uint8_t command_set, std::uint8_t command) const;

  // Writes a last packet, if the peer takes it at once.
  void write_last(std::span<const std::uint8_t> packet);

  // Lets a peer that reads nothing for some seconds be given up from now on, because something
  // waits for it. Before, it may take as long as it likes. Any thread.
  void shorten_timeouts() { has_short_timeouts_ = true; }

  // Sets when unwritten data and the connection are given up, because the VM ends. No deadline: not
  // any more. Any thread.
  void give_up_at(const Deadline& when) { gives_up_at_ = when.value_or(Clock::time_point::max()); }

  // Whether the peer's system has received everything that was written, so that it can be read
  // there even if this process ends now. True if the system cannot tell.
  [[nodiscard]] bool is_delivered() const;

  // Closes the connection in two steps; this is the first. A socket that is shut down both ways, or
  // closed, while the peer still sends, answers with a reset, and under load a reset can overtake
  // the last data. So at first only the output ends: the peer reads all of it, sees the end and
  // closes. Any thread, any number of times.
  void end_output();

  [[nodiscard]] bool output_has_ended() const { return output_has_ended_; }

  // Whether no more commands will come: one of the two sides has ended its output.
  [[nodiscard]] bool is_over() const;

  // Drops what the peer still sends until it closes; false if the deadline comes first. On the
  // reading thread.
  [[nodiscard]] bool drain(Clock::time_point deadline);

  // Wakes the reader and makes further writes fail. Any thread, any number of times.
  void shut_down();

  // The link, for a debugger that has asked to have it watched (LinkWatch).

  // Begins to count what is heard, and keeps what is written if the debugger may come back.
  // `peer_end`: the debugger's address as it has it itself. On the reading thread.
  void watch_link(const std::string& peer_end, bool keeps);
  // Our own address of this connection; empty if it has none.
  [[nodiscard]] std::string own_end() const;

  // Any thread.
  [[nodiscard]] Heard heard() const;
  // Whether the debugger's system has acknowledged something lately, and not something between.
  [[nodiscard]] bool peer_answers(std::chrono::milliseconds lately) const;
  // Whether the debugger has ended or closed the connection, and not something between. Before
  // lose_link(). Any thread.
  [[nodiscard]] bool peer_has_left() const;
  // Sends a beat, unless another thread writes, or there is no room: then data is on its way.
  void send_beat();
  // Makes the reader return and lets writers keep what they write. Any thread.
  void lose_link();

  // Whether the link is lost, and the debugger may come back.
  [[nodiscard]] bool is_down() const { return is_down_; }

  // Continues with the socket of a debugger that has come back, and writes what it has not
  // received. False if that is not here any more, or the link is lost again. On the reading thread.
  [[nodiscard]] bool rejoin(const Peer& peer, std::int64_t received, bool went_on);

  // Makes a writer for this connection, which knows how strings are encoded (mutf8=).
  [[nodiscard]] codec::Writer writer() const;
  [[nodiscard]] codec::Reader reader(std::span<const std::uint8_t> payload) const;

 private:
  [[nodiscard]] std::optional<codec::Packet> read_any_packet(std::size_t longest);
  void take_beat_answer(const codec::Packet& packet);
  [[nodiscard]] bool write_all(std::span<const std::uint8_t> bytes, bool is_urgent) const;
  [[nodiscard]] bool wait_for_room(bool is_urgent) const;
  bool write(std::span<const std::uint8_t> packet, bool is_urgent);

  Socket socket_;
  const std::string peer_;
  const std::function<void()> end_of_link_;
  const Role role_;
  const Clock::time_point since_ = Clock::now();
  bool modified_utf8_;
  std::atomic<bool> has_short_timeouts_ = false;
  std::atomic<Clock::time_point> gives_up_at_ = Clock::time_point::max();
  std::atomic<bool> output_has_ended_ = false;
  std::atomic<std::uint64_t> heard_ = 0;    // packets, and one for each time it came back
  std::atomic<std::int64_t> received_ = 0;  // commands
  std::atomic<bool> is_watched_ = false;
  std::atomic<bool> is_direct_ = false;  // nothing but the network is between the two sides
  std::atomic<bool> is_local_ = false;   // direct, and on this machine: no link can be lost
  std::atomic<bool> is_down_ = false;
  SentPackets sent_;
  RankedMutex<Rank::kConnection, std::timed_mutex> write_mutex_;
};

// A place where debuggers connect. Any thread may ask for its address, close it and remove its
// file.
class Listener {
 public:
  // Opens a socket that listens at the address. `tokens`: empty where no token is asked for.
  static std::expected<std::shared_ptr<Listener>, TransportError> open(
      const Address& address, const std::vector<TokenFile>& tokens);

  Listener() = default;
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;
  Listener(Listener&&) = delete;
  Listener& operator=(Listener&&) = delete;
  virtual ~Listener() = default;

  // The address with the port that was chosen.
  [[nodiscard]] virtual Address address() const = 0;

  // Waits for a peer that may connect (see Options::allow) and sends a debugger's greeting. Other
  // peers are dropped, and the wait goes on. Called on one thread only.
  [[nodiscard]] virtual std::expected<Greeting, TransportError> accept(
      const std::vector<Network>& allow, std::optional<std::chrono::milliseconds> timeout) = 0;

  // Called when a debugger has left and another one may come: listens again, if it does not all the
  // time.
  [[nodiscard]] virtual std::expected<void, TransportError> listen_again() { return {}; }

  // Ends accept() with an error, now or later, and removes the file. Any thread.
  virtual void close() = 0;

  // Removes the socket file when the process ends.
  virtual void remove_file() const {}
};

// Connects to a listening debugger and shakes hands.
[[nodiscard]] std::expected<Peer, TransportError> connect_out(const Options& options);

}  // namespace jvmdebug::agent
