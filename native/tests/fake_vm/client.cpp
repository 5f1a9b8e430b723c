// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <chrono>
#include <sys/socket.h>

#include "tests/fake_vm/debuggee.h"

namespace jvmdebug::fake {

Client::Client(int descriptor) : socket_(descriptor), reader_([this] { run(); }) {}

Client::~Client() {
  finish();
}

void Client::finish() {
  if (reader_.joinable()) {
    reader_.join();
  }
}

void Client::run() {
  codec::Framer framer;
  std::array<std::uint8_t, 65536> bytes{};
  while (true) {
    const auto got = recv(socket_.descriptor(), bytes.data(), bytes.size(), 0);
    if (got <= 0) {
      return;
    }
    framer.feed(std::span(bytes).first(static_cast<std::size_t>(got)));
    while (auto packet = framer.next()) {
      if (!*packet) {
        break;
      }
      const std::scoped_lock lock(mutex_);
      auto& kept = (*packet)->header.is_reply() ? replies_ : events_;
      kept.push_back(**std::move(packet));
      arrived_.notify_all();
    }
  }
}

std::optional<codec::Packet> Client::reply(std::uint32_t id, int timeout_ms) {
  std::unique_lock lock(mutex_);
  auto found = replies_.end();
  const auto look = [&] {
    found = std::ranges::find(replies_, id, [](const auto& packet) { return packet.header.id; });
    return found != replies_.end();
  };
  return arrived_.wait_for(lock, std::chrono::milliseconds(timeout_ms), look)
             ? std::optional(*found)
             : std::nullopt;
}

std::size_t Client::replies(std::uint32_t id) {
  const std::scoped_lock lock(mutex_);
  return static_cast<std::size_t>(
      std::ranges::count(replies_, id, [](const auto& packet) { return packet.header.id; }));
}

std::vector<codec::Packet> Client::events(std::size_t count, int timeout_ms) {
  std::unique_lock lock(mutex_);
  (void)arrived_.wait_for(lock, std::chrono::milliseconds(timeout_ms),
                          [&] { return events_.size() >= count; });
  return events_;
}

}  // namespace jvmdebug::fake
