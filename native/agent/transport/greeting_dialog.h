// SPDX-License-Identifier: Apache-2.0
//
// What a debugger says before its first packet, and what the agent answers: the handshake, behind
// the token if there is one (token_gate.h). Knows no sockets: the caller reads as many bytes as are
// wanted, and writes the reply.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "agent/transport/token_gate.h"

namespace jvmdebug::agent {

// What a debugger says that comes back after its link was lost.
struct Rejoining {
  std::string session;        // its secret
  std::int64_t received = 0;  // packets
};

class GreetingDialog {
 public:
  enum class State : std::uint8_t { kWaiting, kDone, kFailed };

  // `gate` is null where no token is asked for, and lives longer than this.
  explicit GreetingDialog(TokenGate* gate) : gate_(gate) {}

  // How many bytes the next part has that the debugger sends.
  [[nodiscard]] std::size_t wanted() const;

  // Whether these may be the first bytes of that part.
  [[nodiscard]] bool may_begin_with(std::string_view bytes) const;

  // Takes a whole part. Returns what to send at once.
  [[nodiscard]] std::string take(std::string_view part);

  // Gives the peer up, which has sent what is no part.
  void reject();

  [[nodiscard]] State state() const { return state_; }

  // Whether the debugger wants to end the session of another one.
  [[nodiscard]] bool takes_over() const { return takes_over_; }

  // What the debugger may do.
  [[nodiscard]] Role role() const { return role_; }

  // The session to which the debugger comes back, if it does.
  [[nodiscard]] const std::optional<Rejoining>& rejoining() const { return rejoining_; }

  // Why the peer is not let in, for the log; empty if no token is asked for, or for lack of the
  // agent's own.
  [[nodiscard]] const std::string& refusal() const { return refusal_; }

  // What to send before the connection is closed, as late as it is closed: it tells whether a
  // token is right.
  [[nodiscard]] const std::string& farewell() const { return farewell_; }

 private:
  enum class Part : std::uint8_t { kFirst, kAnswer, kEndOfAnswer, kGreeting, kSession };

  [[nodiscard]] std::string begin(std::string_view part);
  [[nodiscard]] std::string answered(std::string_view part);
  [[nodiscard]] std::string judge();

  TokenGate* gate_;
  Challenge challenge_{};
  std::string answer_;
  Role role_ = Role::kDebug;
  Part part_ = Part::kFirst;
  State state_ = State::kWaiting;
  bool takes_over_ = false;
  std::optional<Rejoining> rejoining_;
  std::string refusal_;
  std::string farewell_;
};

}  // namespace jvmdebug::agent
