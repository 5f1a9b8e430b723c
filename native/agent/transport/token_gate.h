// SPDX-License-Identifier: Apache-2.0
//
// The check of a debugger's token (token-file=). Agent and debugger have the same token, and prove
// it to each other without sending it:
//
//   debugger   JDWP-Token-001                                   14 bytes
//   agent      N                                                32 random bytes
//   debugger   M, HMAC(token, "jvmdebug debugger" 0 N M)        32 random bytes, and 32
//   agent      HMAC(token, "jvmdebug agent" 0 N M)              32 bytes
//   debugger   JDWP-Handshake                                   from here on it is JDWP
//
// HMAC is HMAC-SHA-256 and 0 a zero byte. Over TCP this keeps strangers out; it hides nothing of
// what follows, and a machine that can change packets on their way can take the connection over.
//
// The file is read for each debugger, so that a new token is one write. A peer that fails is told
// to the log once for its host, and the next one from that host has to wait, longer each time.
// Called on the thread that accepts debuggers.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>

#include "agent/transport/sha256.h"
#include "agent/transport/sockets.h"

namespace jvmdebug::agent {

using Nonce = std::array<std::uint8_t, 32>;

// The token without the line end behind it; empty if the file cannot be read or has none.
[[nodiscard]] std::string token_in(const std::string& file);

class TokenGate {
 public:
  explicit TokenGate(std::string file) : file_(std::move(file)) {}

  // Empty if the system gives no random numbers.
  [[nodiscard]] static std::optional<Nonce> random_nonce();

  // Checks M and the debugger's proof; returns the agent's, or nothing if the token is wrong.
  [[nodiscard]] std::optional<Digest> admit(const Nonce& nonce,
                                            std::span<const std::uint8_t> answer);

  // Returns the time from which on a peer is served that connects now.
  [[nodiscard]] Clock::time_point begins_at(const std::string& peer, Clock::time_point now) const;

  // Notes that a peer did not prove that it knows the token. `why` is for the log.
  void refused(const std::string& peer, const std::string& why, Clock::time_point now);

  // Notes that a peer has come in.
  void admitted(const std::string& peer);

 private:
  struct Failures {
    unsigned count = 0;
    Clock::time_point last;
  };

  const std::string file_;
  bool lacks_token_ = false;                  // and the log says so
  std::map<std::string, Failures> failures_;  // by host
};

}  // namespace jvmdebug::agent
