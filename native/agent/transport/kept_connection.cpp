// SPDX-License-Identifier: Apache-2.0
//
// The part of a Connection that watches its link, and outlives it.
#include <chrono>
#include <cstddef>
#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "agent/transport/tcp.h"
#include "agent/transport/transport.h"
#include "codec/generated/agent.h"
#include "codec/reader.h"

namespace jvmdebug::agent {
namespace {

// Enough for what is on the way for a second or two; more is written by heap dumps alone.
constexpr std::size_t kMostKept = std::size_t{16} * 1024 * 1024;

}  // namespace

void Connection::watch_link(const std::string& peer_end, bool keeps) {
  const std::scoped_lock lock(write_mutex_);
  is_direct_ = !tcp::is_tcp(socket_.descriptor()) ||
               (!peer_end.empty() && peer_end == tcp::peer_end(socket_.descriptor()));
  if (keeps && !sent_.keeps()) {
    sent_.keep(kMostKept);
  }
  is_watched_ = true;
}

std::string Connection::own_end() const {
  return tcp::own_end(socket_.descriptor());
}

Heard Connection::heard() const {
  int unread = 0;
  (void)ioctl(socket_.descriptor(), FIONREAD, &unread);  // fails when the peer is gone
  return {.packets = heard_, .unread = unread};
}

bool Connection::peer_answers(std::chrono::milliseconds lately) const {
  return is_direct_ && tcp::answers(socket_.descriptor(), lately);
}

void Connection::send_beat() {
  const std::unique_lock lock(write_mutex_, std::try_to_lock);
  if (!lock || is_down_ || output_has_ended_ ||
      !wait_ready(socket_.descriptor(), POLLOUT, Clock::now() + std::chrono::milliseconds{1})) {
    return;
  }
  codec::Writer out = writer();
  protocol::agent::Beat{.received = received_}.write(out);
  const auto packet = codec::pack_command(0, protocol::agent::Beat::kCommandSet,
                                          protocol::agent::Beat::kCommand, out.bytes());
  if (packet && !write_all(*packet, false) && !output_has_ended_) {
    shut_down();
  }
}

void Connection::take_beat_answer(const codec::Packet& packet) {
  codec::Reader reader = this->reader(packet.payload);
  const std::int64_t count = reader.read_long();
  if (!reader.failed()) {
    const std::scoped_lock lock(write_mutex_);
    sent_.received(count);
  }
}

void Connection::lose_link() {
  shut_down();  // wakes a thread that holds the lock and waits for room
  const std::scoped_lock lock(write_mutex_);
  is_down_ = sent_.keeps() && !output_has_ended_;
}

bool Connection::rejoin(const Peer& peer, std::int64_t received, bool went_on) {
  const std::scoped_lock lock(write_mutex_);
  sent_.received(received);
  if (!sent_.has_all_after(received)) {
    (void)write_at_once(peer.socket.descriptor(), codec::kNotRejoined);
    return false;
  }
  // The number stays the same: other threads use it.
  if (dup3(peer.socket.descriptor(), socket_.descriptor(), O_CLOEXEC) < 0) {
    return false;
  }
  std::string answer(codec::kHandshake);
  answer.push_back(went_on ? '\1' : '\0');
  for (int shift = 56; shift >= 0; shift -= 8) {
    answer.push_back(static_cast<char>(static_cast<std::uint64_t>(received_.load()) >> shift));
  }
  is_down_ = !write_at_once(socket_.descriptor(), answer);
  for (const auto& packet : sent_.unreceived()) {
    if (is_down_) {
      break;
    }
    is_down_ = !write_all(packet, false);
  }
  ++heard_;
  return !is_down_;
}

}  // namespace jvmdebug::agent
