// SPDX-License-Identifier: Apache-2.0
#include "agent/transport/handshakes.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <map>
#include <span>
#include <utility>

namespace jvmdebug::agent {
namespace {

constexpr auto kGreetingTimeout = std::chrono::seconds{2};
constexpr std::size_t kMostPeers = 64;
constexpr std::size_t kLongestPart = 128;

static_assert(kAnswerSize <= kLongestPart);

}  // namespace

GreetingDialog::State continue_dialog(Socket::Descriptor descriptor, GreetingDialog& dialog,
                                      std::string& received) {
  using State = GreetingDialog::State;
  std::array<std::uint8_t, kLongestPart> bytes{};
  while (dialog.state() == State::kWaiting) {
    const auto got = platform::receive_now(
        descriptor, std::span(bytes).first(dialog.wanted() - received.size()));
    if (!got && got.error() == platform::Stuck::kForNow) {
      return State::kWaiting;
    }
    if (!got || *got == 0) {
      return State::kFailed;
    }
    received.append(reinterpret_cast<const char*>(bytes.data()), *got);
    if (!dialog.may_begin_with(received)) {
      dialog.reject();
      return State::kFailed;
    }
    if (received.size() == dialog.wanted() &&
        !write_at_once(descriptor, dialog.take(std::exchange(received, {})))) {
      return State::kFailed;
    }
  }
  return dialog.state();
}

bool Handshakes::wait(const Socket& listening, const Deadline& deadline) {
  Deadline until = deadline;
  std::vector<platform::Readable> waiting;
  waiting.push_back({.socket = listening.descriptor()});
  for (const Pending& pending : pending_) {
    waiting.push_back(
        {.socket = pending.is_refused ? platform::kNoSocket : pending.peer.socket.descriptor()});
    until = until ? std::min(*until, pending.until) : pending.until;
  }
  waiting.push_back({.socket = waker_.socket()});
  const auto waited = platform::wait_to_read(waiting, time_until(until));
  somebody_connects_ = waited == platform::Waited::kReady && waiting.front().is_ready;
  return waited == platform::Waited::kReady || !deadline || Clock::now() < *deadline;
}

void Handshakes::add(Peer peer) {
  if (pending_.size() == kMostPeers) {
    make_room();
  }
  pending_.push_back({.peer = std::move(peer),
                      .until = Clock::now() + kGreetingTimeout,
                      .dialog = GreetingDialog(gate_)});
}

void Handshakes::make_room() {
  auto found = std::ranges::find_if(pending_, &Pending::is_refused);
  if (found == pending_.end()) {
    const auto host = [](const Pending& pending) { return host_of(pending.peer.name); };
    std::map<std::string, std::size_t> counts;
    for (const Pending& pending : pending_) {
      ++counts[host(pending)];
    }
    const auto most =
        std::ranges::max_element(counts, {}, [](const auto& each) { return each.second; });
    found = std::ranges::find(pending_, most->first, host);
  }
  pending_.erase(found);
}

std::optional<Greeting> Handshakes::finished() {
  const auto now = Clock::now();
  std::optional<Greeting> found;
  std::erase_if(pending_, [&](Pending& pending) {
    if (pending.is_refused) {
      if (pending.until <= now) {
        (void)write_at_once(pending.peer.socket.descriptor(), pending.dialog.farewell());
      }
      return pending.until <= now;
    }
    if (found) {
      return false;
    }
    const State state =
        continue_dialog(pending.peer.socket.descriptor(), pending.dialog, pending.received);
    if (state == State::kDone) {
      if (gate_ != nullptr) {
        gate_->admitted(pending.peer.name);
      }
      pending.peer.role = pending.dialog.role();
      found = Greeting{.peer = std::move(pending.peer),
                       .takes_over = pending.dialog.takes_over(),
                       .is_answered = false,
                       .rejoining = pending.dialog.rejoining()};
      return true;
    }
    if (state == State::kFailed) {
      return !keeps_refused(pending, now);
    }
    if (pending.until <= now && gate_ != nullptr) {
      (void)gate_->refused(pending.peer.name, "it gave no token in time", now);
    }
    return pending.until <= now;
  });
  return found;
}

// False if there is nothing to wait for before it is closed.
bool Handshakes::keeps_refused(Pending& pending, Clock::time_point now) {
  if (gate_ == nullptr || pending.dialog.refusal().empty()) {
    (void)write_at_once(pending.peer.socket.descriptor(), pending.dialog.farewell());
    return false;
  }
  pending.is_refused = true;
  pending.until = now + gate_->refused(pending.peer.name, pending.dialog.refusal(), now);
  return true;
}

}  // namespace jvmdebug::agent
