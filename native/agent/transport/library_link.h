// SPDX-License-Identifier: Apache-2.0
//
// The connection of a transport library as a socket, which the rest of the agent serves like any
// other. A library only has calls that block, so two threads pass packets between it and one end of
// a pair of sockets: one reads from the library, one writes to it. The agent has the other end,
// where it can wait with deadlines, look ahead and end one direction. The last byte of a packet
// stays in the pair until the library has taken the packet, so that Connection::is_delivered() is
// right. Used by library_listener only.
#pragma once

#include <atomic>
#include <expected>
#include <functional>
#include <memory>
#include <string>

#include "agent/locks/ranked_mutex.h"
#include "agent/transport/library.h"
#include "agent/transport/sockets.h"

namespace jvmdebug::agent {

// Starts a thread of the agent; false if the VM has none.
using ThreadStarter = std::function<bool(const std::string& name, std::function<void()> body)>;

class LibraryLink : public std::enable_shared_from_this<LibraryLink> {
 public:
  // Made when the library has a connection. `name` is the peer's, for people.
  [[nodiscard]] static std::expected<std::shared_ptr<LibraryLink>, TransportError> open(
      std::shared_ptr<TransportLibrary> library, std::string name);

  // Returns the agent's end; once.
  [[nodiscard]] Peer take_peer();
  // Starts the two threads; without them the link has ended.
  [[nodiscard]] std::expected<void, TransportError> start(const ThreadStarter& start_thread);
  // Ends the library's connection. Any thread, any number of times.
  void end();
  // Waits until no thread of the link is in the library. The link is ended, or the agent has shut
  // its socket down.
  void wait_for_end();

 private:
  LibraryLink(std::shared_ptr<TransportLibrary> library, std::string name, Socket ours,
              Socket agents)
      : library_(std::move(library)),
        name_(std::move(name)),
        socket_(std::move(ours)),
        agents_(std::move(agents)) {}

  void read();
  void write();
  [[nodiscard]] bool pass_on(const library_interface::Packet& packet) const;
  [[nodiscard]] bool write_next();
  void report(const TransportError& error) const;
  void left();

  const std::shared_ptr<TransportLibrary> library_;
  const std::string name_;
  const Socket socket_;
  Socket agents_;
  std::atomic<bool> has_ended_ = false;
  std::atomic<bool> peer_has_left_ = false;  // so a write that fails is no surprise
  RankedMutex<Rank::kTransportLibrary> mutex_;
  Condition changed_;
  int threads_ = 0;
};

}  // namespace jvmdebug::agent
