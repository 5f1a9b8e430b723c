// SPDX-License-Identifier: Apache-2.0
//
// Peers that have connected and have not yet sent a debugger's greeting, behind the token if there
// is one. There may be several at a time, each with a short deadline, so that a silent one does not
// keep others out. One without the token is kept for a moment, unheard, before it is closed. The
// caller decides how to answer a greeting. Used by the listener only.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "agent/transport/greeting_dialog.h"
#include "agent/transport/sockets.h"
#include "agent/transport/token_gate.h"

namespace jvmdebug::agent {

// A debugger that has sent a whole greeting.
struct Greeting {
  Peer peer;
  bool takes_over = false;                  // from the debugger that is connected, if there is one
  bool is_answered = false;                 // already: by a transport library
  std::optional<Rejoining> rejoining = {};  // to the session that it had before its link was lost
};

// Reads what a peer has sent of its greeting until now, and answers. Failed if it has disconnected
// or is no debugger. `received`: of the part that is awaited.
[[nodiscard]] GreetingDialog::State continue_dialog(Socket::Descriptor descriptor,
                                                    GreetingDialog& dialog, std::string& received);

class Handshakes {
 public:
  // `gate` is null where no token is asked for, and lives longer than this.
  explicit Handshakes(TokenGate* gate) : gate_(gate) {}

  // Waits until a peer connects to the listening socket, or one of the peers here has sent
  // something or is too slow. False when the deadline passed first.
  [[nodiscard]] bool wait(const Socket& listening, const Deadline& deadline);

  // Ends wait(), now and from now on. Any thread.
  void wake() const { waker_.wake(); }

  // Tells, after wait(), whether a peer waits to be accepted.
  [[nodiscard]] bool somebody_connects() const { return somebody_connects_; }

  // Adds a peer that has connected. When there are too many, one is closed: the oldest one without
  // the token, or else the oldest one of the host that has most.
  void add(Peer peer);

  // Returns the first peer that has sent a whole greeting. Peers that have disconnected, are too
  // slow or send something else are dropped.
  [[nodiscard]] std::optional<Greeting> finished();

 private:
  using State = GreetingDialog::State;

  struct Pending {
    Peer peer;
    Clock::time_point until;  // when it is closed
    GreetingDialog dialog;
    std::string received = {};  // of the part that is awaited
    bool is_refused = false;    // nothing more of it is read
  };

  void make_room();
  [[nodiscard]] bool keeps_refused(Pending& pending, Clock::time_point now);

  TokenGate* gate_;
  std::vector<Pending> pending_;
  platform::Waker waker_;
  bool somebody_connects_ = false;
};

}  // namespace jvmdebug::agent
