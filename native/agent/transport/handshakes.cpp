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
using codec::kTakeOver;

static_assert(kHandshake.size() == kTakeOver.size());

constexpr auto kGreetingTimeout = std::chrono::seconds{2};
constexpr std::size_t kMostPeers = 64;

// Returns the time until the deadline in milliseconds, for poll(); -1 means no limit.
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
  for (const Pending& pending : pending_) {
    waiting.push_back({.fd = pending.peer.socket.descriptor(), .events = POLLIN, .revents = 0});
    until = until ? std::min(*until, pending.until) : pending.until;
  }
  const int ready = poll(waiting.data(), waiting.size(), milliseconds_until(until));
  // An error of poll() itself is reported by the call that follows, except for a signal.
  somebody_connects_ = ready > 0 ? waiting.front().revents != 0 : ready < 0 && errno != EINTR;
  return ready > 0 || !deadline || Clock::now() < *deadline;
}

void Handshakes::add(Peer peer) {
  if (pending_.size() == kMostPeers) {
    pending_.erase(pending_.begin());
  }
  pending_.push_back(
      {.peer = std::move(peer), .until = Clock::now() + kGreetingTimeout, .received = {}});
}

std::optional<Greeting> Handshakes::finished() {
  const auto now = Clock::now();
  std::optional<Greeting> found;
  std::erase_if(pending_, [&](Pending& pending) {
    if (found) {
      return false;
    }
    const Progress progress = read_greeting(pending);
    if (progress == Progress::kDone) {
      found = Greeting{.peer = std::move(pending.peer),
                       .takes_over = pending.received == kTakeOver,
                       .is_answered = false};
      return true;
    }
    return progress == Progress::kFailed || pending.until <= now;
  });
  return found;
}

Handshakes::Progress Handshakes::read_greeting(Pending& pending) {
  std::array<char, kHandshake.size()> bytes{};
  std::string& received = pending.received;
  while (received.size() < kHandshake.size()) {
    const auto got = recv(pending.peer.socket.descriptor(), bytes.data(),
                          kHandshake.size() - received.size(), MSG_DONTWAIT);
    if (got < 0 && errno == EINTR) {
      continue;
    }
    if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) {
      return Progress::kWaiting;
    }
    if (got <= 0) {
      return Progress::kFailed;
    }
    received.append(bytes.data(), static_cast<std::size_t>(got));
    if (!kHandshake.starts_with(received) && !kTakeOver.starts_with(received)) {
      return Progress::kFailed;
    }
  }
  return Progress::kDone;
}

}  // namespace jvmdebug::agent
