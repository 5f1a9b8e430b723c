// SPDX-License-Identifier: Apache-2.0
#include "agent/transport/handshakes.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <poll.h>
#include <string_view>
#include <sys/socket.h>
#include <utility>

#include "codec/packet.h"

namespace jvmdebug::agent {
namespace {

using codec::kHandshake;

constexpr auto kPatience = std::chrono::seconds{2};
constexpr std::size_t kMostPeers = 64;

// Until then, in milliseconds for poll(); -1 is no limit.
int milliseconds_until(const Deadline& deadline) {
  if (!deadline) {
    return -1;
  }
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(*deadline - Clock::now()).count();
  return static_cast<int>(std::clamp<std::int64_t>(left, 0, 1'000'000));
}

}  // namespace

bool Handshakes::wait(const Socket& listening, const Deadline& deadline) {
  Deadline until = deadline;
  std::vector<pollfd> waiting;
  waiting.push_back({.fd = listening.descriptor(), .events = POLLIN, .revents = 0});
  for (const Peer& peer : peers_) {
    waiting.push_back({.fd = peer.socket.descriptor(), .events = POLLIN, .revents = 0});
    until = until ? std::min(*until, peer.until) : peer.until;
  }
  const int ready = poll(waiting.data(), waiting.size(), milliseconds_until(until));
  // An error of poll() itself is reported by the call that follows, except for a signal.
  somebody_connects_ = ready > 0 ? waiting.front().revents != 0 : ready < 0 && errno != EINTR;
  return ready > 0 || !deadline || Clock::now() < *deadline;
}

void Handshakes::add(Socket socket) {
  if (peers_.size() == kMostPeers) {
    peers_.erase(peers_.begin());
  }
  peers_.push_back(
      {.socket = std::move(socket), .until = Clock::now() + kPatience, .received = {}});
}

std::optional<Socket> Handshakes::finished() {
  const auto now = Clock::now();
  std::optional<Socket> found;
  std::erase_if(peers_, [&](Peer& peer) {
    if (found) {
      return false;
    }
    const Progress progress = read_greeting(peer);
    if (progress == Progress::kDone) {
      found = std::move(peer.socket);
      return true;
    }
    return progress == Progress::kFailed || peer.until <= now;
  });
  return found;
}

Handshakes::Progress Handshakes::read_greeting(Peer& peer) {
  std::array<char, kHandshake.size()> bytes{};
  while (peer.received.size() < kHandshake.size()) {
    const auto got = recv(peer.socket.descriptor(), bytes.data(),
                          kHandshake.size() - peer.received.size(), MSG_DONTWAIT);
    if (got < 0 && errno == EINTR) {
      continue;
    }
    if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) {
      return Progress::kWaiting;
    }
    if (got <= 0) {
      return Progress::kFailed;
    }
    peer.received.append(bytes.data(), static_cast<std::size_t>(got));
    if (!kHandshake.starts_with(peer.received)) {
      return Progress::kFailed;
    }
  }
  const auto* greeting = reinterpret_cast<const std::uint8_t*>(kHandshake.data());
  return write_fully(peer.socket.descriptor(), {greeting, kHandshake.size()}) ? Progress::kDone
                                                                              : Progress::kFailed;
}

}  // namespace jvmdebug::agent
