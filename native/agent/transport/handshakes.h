// SPDX-License-Identifier: Apache-2.0
//
// Peers that have connected and have not yet sent a debugger's greeting. There may be several at a
// time, each with a short deadline, so that a silent one does not keep others out. The caller
// decides how to answer them. Used by the listener only.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "agent/transport/sockets.h"

namespace jvmdebug::agent {

// A debugger that has sent a whole greeting.
struct Greeting {
  Peer peer;
  bool takes_over = false;   // from the debugger that is connected, if there is one
  bool is_answered = false;  // already: by a transport library
};

class Handshakes {
 public:
  // Waits until a peer connects to the listening socket, or one of the peers here has sent
  // something or is too slow. False when the deadline passed first.
  [[nodiscard]] bool wait(const Socket& listening, const Deadline& deadline);

  // Tells, after wait(), whether a peer waits to be accepted.
  [[nodiscard]] bool somebody_connects() const { return somebody_connects_; }

  // Adds a peer that has connected. When there are too many, the oldest one is dropped.
  void add(Peer peer);

  // Returns the first peer that has sent a whole greeting. Peers that have disconnected, are too
  // slow or send something else are dropped.
  [[nodiscard]] std::optional<Greeting> finished();

 private:
  enum class Progress : std::uint8_t { kWaiting, kDone, kFailed };

  struct Pending {
    Peer peer;
    Clock::time_point until;
    std::string received;
  };

  [[nodiscard]] static Progress read_greeting(Pending& pending);

  std::vector<Pending> pending_;
  bool somebody_connects_ = false;
};

}  // namespace jvmdebug::agent
