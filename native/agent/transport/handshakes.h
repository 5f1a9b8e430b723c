// SPDX-License-Identifier: Apache-2.0
//
// Those who have connected and not yet said that they are a debugger: several at a time, each with
// a short deadline, so that a silent one keeps nobody out. What they are answered is the caller's.
// Used by the listener only.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "agent/transport/sockets.h"

namespace jvmdebug::agent {

// A debugger that has sent a whole greeting, which is not answered yet.
struct Greeting {
  Peer peer;
  bool takes_over = false;  // from the debugger that is connected, if there is one
};

class Handshakes {
 public:
  // Waits until somebody connects to the listening socket, or one of those here has something to
  // say or is too slow. False when the deadline passed first.
  [[nodiscard]] bool wait(const Socket& listening, const Deadline& deadline);

  // Says after wait whether somebody waits to be accepted.
  [[nodiscard]] bool somebody_connects() const { return somebody_connects_; }

  // Somebody has connected. When there are too many, the one who came first goes.
  void add(Peer peer);

  // The first who has sent a whole greeting. Those who have gone, are too slow or send something
  // else are dropped.
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
