// SPDX-License-Identifier: Apache-2.0
#include "agent/transport/token_gate.h"

#include <algorithm>
#include <array>
#include <bit>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <ios>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace jvmdebug::agent {
namespace {

constexpr std::size_t kMostHosts = 256;
constexpr std::size_t kLongestToken = 4096;
constexpr std::chrono::milliseconds kFirstPause{200};
constexpr std::chrono::milliseconds kLongestPause{5000};
constexpr std::chrono::minutes kForgottenAfter{10};

// The name of a peer without its port: `127.0.0.1:40000`, `[::1]:40000`.
std::string host_of(const std::string& peer) {
  return peer.substr(0, peer.rfind(':'));
}

Digest proof(std::string_view token, std::string_view who, const Nonce& ours,
             std::span<const std::uint8_t> theirs) {
  std::vector<std::uint8_t> message(who.begin(), who.end());
  message.push_back(0);
  message.insert(message.end(), ours.begin(), ours.end());
  message.insert(message.end(), theirs.begin(), theirs.end());
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(token.data());
  return hmac_sha256({bytes, token.size()}, message);
}

}  // namespace

std::string token_in(const std::string& file) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(file, error)) {
    return {};  // a pipe would have a token for the first debugger only, or none for ever
  }
  std::ifstream in(file, std::ios::binary);
  std::string token(kLongestToken, '\0');
  in.read(token.data(), static_cast<std::streamsize>(token.size()));
  token.resize(static_cast<std::size_t>(in.gcount()));
  const auto end = token.find_last_not_of(" \t\r\n");
  return token.substr(0, end == std::string::npos ? 0 : end + 1);
}

std::optional<Nonce> TokenGate::random_nonce() {
  // Not std::random_device: it calls what old systems do not have.
  std::ifstream source("/dev/urandom", std::ios::binary);
  std::array<char, Nonce{}.size()> bytes{};
  if (!source.read(bytes.data(), bytes.size())) {
    return std::nullopt;
  }
  return std::bit_cast<Nonce>(bytes);
}

std::optional<Digest> TokenGate::admit(const Nonce& nonce, std::span<const std::uint8_t> answer) {
  const std::string token = token_in(file_);
  if (token.empty()) {
    if (!std::exchange(lacks_token_, true)) {
      std::fprintf(stderr, "jvmdebug: there is no token in %s; no debugger is let in\n",
                   file_.c_str());
    }
    return std::nullopt;
  }
  lacks_token_ = false;
  const auto theirs = answer.first(Nonce{}.size());
  const Digest expected = proof(token, "jvmdebug debugger", nonce, theirs);
  if (!equal_in_constant_time(expected, answer.subspan(theirs.size()))) {
    return std::nullopt;
  }
  return proof(token, "jvmdebug agent", nonce, theirs);
}

Clock::time_point TokenGate::begins_at(const std::string& peer, Clock::time_point now) const {
  const auto found = failures_.find(host_of(peer));
  if (found == failures_.end() || found->second.last + kForgottenAfter < now) {
    return now;
  }
  constexpr unsigned kMostDoublings = 8;
  const auto pause = kFirstPause * (1U << std::min(found->second.count - 1, kMostDoublings));
  return now + std::min<std::chrono::milliseconds>(pause, kLongestPause);
}

void TokenGate::refused(const std::string& peer, const std::string& why, Clock::time_point now) {
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
  ++failures.count;
  failures.last = now;
}

void TokenGate::admitted(const std::string& peer) {
  failures_.erase(host_of(peer));
}

}  // namespace jvmdebug::agent
