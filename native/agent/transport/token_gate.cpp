// SPDX-License-Identifier: Apache-2.0
#include "agent/transport/token_gate.h"

#include <algorithm>
#include <cstdio>
#include <string_view>
#include <utility>

#include "agent/platform/net.h"
#include "agent/platform/process.h"
#include "agent/transport/token_file.h"

namespace jvmdebug::agent {
namespace {

constexpr std::uint8_t kFirstVersion = 1;
constexpr std::size_t kRoleAt = 1;
constexpr std::size_t kBindingAt = 2;
constexpr std::size_t kBindingSize = 32;
constexpr std::size_t kNameAt = kBindingAt + kBindingSize + 32;  // its length, from version 2 on
constexpr std::size_t kMostHosts = 256;
constexpr std::chrono::milliseconds kFirstPause{200};
constexpr std::chrono::milliseconds kLongestPause{3000};  // debuggers wait for 5 s
constexpr std::chrono::minutes kForgottenAfter{10};

static_assert(kNameAt + Digest{}.size() == kFirstAnswerSize);
static_assert(kFirstAnswerSize + 1 == kAnswerSize);

std::span<const std::uint8_t> bytes_of(std::string_view text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

// `claims`: the debugger's answer without its proof.
Digest proof(std::string_view token, std::string_view who, const Challenge& challenge,
             std::span<const std::uint8_t> claims, std::span<const std::uint8_t> granted = {}) {
  constexpr std::array<std::uint8_t, 1> kZero{};
  HmacSha256 code(bytes_of(token));
  code.add(bytes_of(who));
  code.add(kZero);
  code.add(challenge);
  code.add(claims);
  code.add(granted);
  return code.finish();
}

Verdict verdict_on(std::span<const std::uint8_t> claims) {
  const bool is_first = claims[0] == kFirstVersion;
  const Role last = is_first ? Role::kDebug : Role::kReadOnly;
  if (claims[kRoleAt] > static_cast<std::uint8_t>(last)) {
    return Verdict::kOtherRole;
  }
  const auto binding = claims.subspan(kBindingAt, kBindingSize);
  const bool is_unbound = std::ranges::all_of(binding, [](auto each) { return each == 0; });
  const bool names_program = !is_first && claims[kNameAt] != 0;  // only a relay has several
  return is_unbound && !names_program ? Verdict::kAdmitted : Verdict::kOtherBinding;
}

}  // namespace

std::string host_of(const std::string& peer) {
  std::string host = peer.substr(0, peer.rfind(':'));
  if (!host.starts_with('[') || !host.ends_with(']')) {
    return host;
  }
  auto address = platform::parse_ip(host.substr(1, host.size() - 2));
  if (!address) {
    return host;
  }
  constexpr std::size_t kNetwork = 8;
  if (!platform::is_loopback(*address)) {
    std::ranges::fill(std::span(*address).subspan(kNetwork), std::uint8_t{0});
  }
  return platform::ip_text(*address);
}

std::optional<Challenge> TokenGate::new_challenge() {
  Challenge challenge{kTokenVersion};
  if (!platform::fill_with_random(std::span(challenge).subspan(1))) {
    return std::nullopt;
  }
  return challenge;
}

TokenGate::Found TokenGate::find(const Challenge& challenge, std::span<const std::uint8_t> claims,
                                 std::span<const std::uint8_t> given) {
  Found found;
  for (const TokenFile& file : files_) {
    const auto token = read_token(file.path);
    if (!token) {
      if (std::exchange(told_[file.path], token.error()) != token.error()) {
        std::fprintf(stderr, "jvmdebug: token-file=%s: %s; no debugger is let in by it\n",
                     file.path.c_str(), token.error().c_str());
      }
      continue;
    }
    told_.erase(file.path);
    found.is_readable = true;
    const Digest expected = proof(*token, "jvmdebug debugger", challenge, claims);
    if (equal_in_constant_time(expected, given)) {
      found.token = *token;
      found.role = narrower(found.role.value_or(file.role), file.role);
    }
  }
  return found;
}

Judgement TokenGate::judge(const Challenge& challenge, std::span<const std::uint8_t> answer) {
  const bool is_first = answer[0] == kFirstVersion;
  if (!is_first && answer[0] != kTokenVersion) {
    return {.verdict = Verdict::kOtherVersion};
  }
  const auto claims = answer.first(answer.size() - Digest{}.size());
  const Found found = find(challenge, claims, answer.last(Digest{}.size()));
  if (!found.is_readable) {
    return {.verdict = Verdict::kNoToken};
  }
  if (!found.role) {
    return {.verdict = Verdict::kWrongToken};
  }
  const Verdict verdict = verdict_on(claims);
  if (verdict != Verdict::kAdmitted) {
    return {.verdict = verdict};
  }
  const Role role = narrower(*found.role, static_cast<Role>(claims[kRoleAt]));
  const std::array<std::uint8_t, 1> granted{static_cast<std::uint8_t>(role)};
  const std::span<const std::uint8_t> told = granted;
  return {.verdict = verdict,
          .role = role,
          .proof = proof(found.token, "jvmdebug agent", challenge, claims,
                         is_first ? told.first(0) : told)};
}

std::chrono::milliseconds TokenGate::refused(const std::string& peer, const std::string& why,
                                             Clock::time_point now) {
  const std::string host = host_of(peer);
  if (failures_.size() >= kMostHosts && !failures_.contains(host)) {
    failures_.erase(
        std::ranges::min_element(failures_, {}, [](const auto& each) { return each.second.last; }));
  }
  Failures& failures = failures_[host];
  if (failures.count > 0 && failures.last + kForgottenAfter < now) {
    failures.count = 0;
  }
  if (failures.count == 0) {
    std::fprintf(stderr, "jvmdebug: %s was not let in: %s\n", host.c_str(), why.c_str());
  }
  constexpr unsigned kMostDoublings = 8;
  const auto pause = kFirstPause * (1U << std::min(failures.count, kMostDoublings));
  ++failures.count;
  failures.last = now;
  return std::min<std::chrono::milliseconds>(pause, kLongestPause);
}

void TokenGate::admitted(const std::string& peer) {
  failures_.erase(host_of(peer));
}

}  // namespace jvmdebug::agent
