// SPDX-License-Identifier: Apache-2.0
//
// The check of a debugger's token (token-file=). Agent and debugger have the same token, and prove
// it to each other without sending it; the debugger begins, whichever side has connected:
//
//   debugger   JDWP-Token-001                14 bytes
//   agent      V N                           33 bytes: the newest version it knows, 32 random bytes
//   debugger   v R C M 0 proof of debugger   99 bytes: version, role, binding (32), 32 random bytes
//   agent      0 r proof of agent            34 bytes; or 1 byte, the reason of a refusal: Verdict
//   debugger   JDWP-Handshake                from here on it is JDWP
//
// A proof is the HMAC-SHA-256, with the token as its key, of "jvmdebug debugger" or "jvmdebug
// agent", a zero byte, V N, v R C M 0, and of the agent's r: the role that is granted, the narrower
// one of what the token is for and of R. Version 1, of older debuggers, has neither r nor the zero
// behind M, and knows role 0 alone; what its token is for holds all the same. The binding C is zero
// here; it is for the hash of a certificate, where TLS is in front of the agent. Over TCP this
// keeps strangers out; it hides nothing of what follows, and a machine that can change packets on
// their way can take the connection over. docs/reference/tokens.md specifies it for other
// debuggers.
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
#include <vector>

#include "agent/options/role.h"
#include "agent/transport/sha256.h"
#include "agent/transport/sockets.h"

namespace jvmdebug::agent {

using Challenge = std::array<std::uint8_t, 33>;
// Sizes of the debugger's answer.
inline constexpr std::size_t kFirstAnswerSize = 98;  // of version 1
inline constexpr std::size_t kAnswerSize = 99;
inline constexpr std::uint8_t kTokenVersion = 2;

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
  Role role = Role::kReadOnly;  // what is granted, if admitted
  Digest proof = {};            // the agent's, if admitted
};

class TokenGate {
 public:
  explicit TokenGate(std::vector<TokenFile> files) : files_(std::move(files)) {}

  // Empty if the system gives no random numbers.
  [[nodiscard]] static std::optional<Challenge> new_challenge();

  // `answer` is as long as its version has it.
  [[nodiscard]] Judgement judge(const Challenge& challenge, std::span<const std::uint8_t> answer);

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

  // Whether one of the files can be used, and what the token is for that has made the proof.
  struct Found {
    bool is_readable = false;
    std::string token;
    std::optional<Role> role;
  };

  [[nodiscard]] Found find(const Challenge& challenge, std::span<const std::uint8_t> claims,
                           std::span<const std::uint8_t> proof);

  const std::vector<TokenFile> files_;
  std::map<std::string, std::string> told_;   // why a file cannot be used, as the log says it
  std::map<std::string, Failures> failures_;  // by host
};

// Returns the part of a peer's name for which failures count together: the name without the port,
// and of an IPv6 address the first 64 bits, as one machine has all of the others.
[[nodiscard]] std::string host_of(const std::string& peer);

}  // namespace jvmdebug::agent
