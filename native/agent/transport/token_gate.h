// SPDX-License-Identifier: Apache-2.0
//
// The check of a debugger's token (token-file=). Agent and debugger have the same token, and prove
// it to each other without sending it; the debugger begins, whichever side has connected:
//
//   debugger   JDWP-Token-001                14 bytes
//   agent      V N                           33 bytes: the newest version it knows, 32 random bytes
//   debugger   v R C M proof of debugger     98 bytes: version, role, binding (32), 32 random bytes
//   agent      0 proof of agent              33 bytes; or 1 byte, the reason of a refusal: Verdict
//   debugger   JDWP-Handshake                from here on it is JDWP
//
// A proof is the HMAC-SHA-256, with the token as its key, of "jvmdebug debugger" or "jvmdebug
// agent", a zero byte, V N and v R C M. Version 1 knows role 0 (all that JDWP can do) and binding
// zero; C is for the hash of a certificate, where TLS is in front of the agent. Over TCP this keeps
// strangers out; it hides nothing of what follows, and a machine that can change packets on their
// way can take the connection over. docs/reference/tokens.md specifies it for other debuggers.
//
// The file is read for each debugger, so that a new token is one write. A peer that fails is told
// to the log once for its host, and is closed later each time: this slows down a peer that tries
// one token after another, and no other one, as the right token is let in at once. Called on the
// thread that accepts debuggers.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "agent/transport/sha256.h"
#include "agent/transport/sockets.h"

namespace jvmdebug::agent {

using Challenge = std::array<std::uint8_t, 33>;
using Answer = std::array<std::uint8_t, 98>;

// What the agent answers to a proof; the numbers are those of the wire.
enum class Verdict : std::uint8_t {
  kAdmitted = 0,
  kWrongToken = 1,
  kNoToken = 2,  // the agent cannot use its own file
  kOtherVersion = 3,
  kOtherRole = 4,
  kOtherBinding = 5,
};

struct Judgement {
  Verdict verdict = Verdict::kWrongToken;
  Digest proof = {};  // the agent's, if admitted
};

class TokenGate {
 public:
  explicit TokenGate(std::string file) : file_(std::move(file)) {}

  // Empty if the system gives no random numbers.
  [[nodiscard]] static std::optional<Challenge> new_challenge();

  [[nodiscard]] Judgement judge(const Challenge& challenge, const Answer& answer);

  // Notes that a peer did not prove that it knows the token. `why` is for the log. Returns how long
  // it is to wait until it is closed.
  std::chrono::milliseconds refused(const std::string& peer, const std::string& why,
                                    Clock::time_point now);

  // Notes that a peer has come in.
  void admitted(const std::string& peer);

 private:
  struct Failures {
    unsigned count = 0;
    Clock::time_point last;
  };

  const std::string file_;
  std::string told_;                          // why the file cannot be used, as the log says it
  std::map<std::string, Failures> failures_;  // by host
};

// Returns the part of a peer's name for which failures count together: the name without the port,
// and of an IPv6 address the first 64 bits, as one machine has all of the others.
[[nodiscard]] std::string host_of(const std::string& peer);

}  // namespace jvmdebug::agent
