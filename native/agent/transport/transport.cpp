// SPDX-License-Identifier: Apache-2.0
#include "agent/transport/transport.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <memory>
#include <string_view>

#include "agent/jvm/strings.h"
#include "agent/transport/greeting_dialog.h"
#include "agent/transport/tcp.h"
#include "agent/transport/token_gate.h"
#include "agent/transport/unix_socket.h"
#include "codec/generated/agent.h"

namespace jvmdebug::agent {
namespace {

// The time limit for the debugger that the agent connects to.
constexpr auto kHandshakeTimeout = std::chrono::seconds{5};

// What is kept for a debugger whose link may be lost: enough for what is on the way for a second or
// two. Only heap dumps are more.
constexpr std::size_t kMostKept = std::size_t{16} * 1024 * 1024;

}  // namespace

std::optional<codec::Packet> Connection::read_packet(std::size_t longest) {
  while (auto packet = read_any_packet(longest)) {
    ++heard_;
    if (!packet->header.is_reply()) {
      ++received_;
      return packet;
    }
    if (!is_watched_) {
      return packet;
    }
    take_beat_answer(*packet);
  }
  return std::nullopt;
}

std::optional<codec::Packet> Connection::read_any_packet(std::size_t longest) {
  std::array<std::uint8_t, codec::kHeaderSize> bytes{};
  if (!read_fully(socket_.descriptor(), bytes)) {
    return std::nullopt;
  }
  const auto header = codec::read_header(bytes);
  if (!header) {
    const auto why = codec::describe(header.error());
    std::fprintf(stderr, "jvmdebug: disconnected from the debugger: %.*s\n",
                 static_cast<int>(why.size()), why.data());
    return std::nullopt;
  }
  if (header->length > longest) {
    std::fprintf(stderr,
                 "jvmdebug: disconnected from the debugger: it announced a packet of %u bytes, and "
                 "%zu are accepted at this point\n",
                 header->length, longest);
    return std::nullopt;
  }
  codec::Packet packet{.header = *header, .payload = {}};
  // Grown as bytes arrive, so that a length alone cannot make the VM's process take memory.
  constexpr std::size_t kChunk = std::size_t{1024} * 1024;
  while (packet.payload.size() < header->payload_size()) {
    const std::size_t begin = packet.payload.size();
    packet.payload.resize(std::min(header->payload_size(), begin + kChunk));
    if (!read_fully(socket_.descriptor(), std::span(packet.payload).subspan(begin))) {
      return std::nullopt;
    }
  }
  return packet;
}

bool Connection::write_packet(std::span<const std::uint8_t> packet) {
  return write(packet, false);
}

bool Connection::write_promptly(std::span<const std::uint8_t> packet) {
  return write(packet, true);
}

bool Connection::write(std::span<const std::uint8_t> packet, bool is_urgent) {
  const std::scoped_lock lock(write_mutex_);
  if (is_down_ && is_urgent) {
    return false;  // the debugger does not read soon
  }
  sent_.add(packet);
  if (is_down_ || write_all(packet, is_urgent)) {
    return true;
  }
  if (output_has_ended_) {
    return false;
  }
  shut_down();
  is_down_ = sent_.keeps();
  return is_down_;
}

void Connection::write_last(std::span<const std::uint8_t> packet) {
  constexpr auto kLockTimeout = std::chrono::milliseconds{200};
  const std::unique_lock lock(write_mutex_, kLockTimeout);
  if (lock) {
    const std::string_view bytes(reinterpret_cast<const char*>(packet.data()), packet.size());
    (void)write_at_once(socket_.descriptor(), bytes);
  }
}

bool Connection::is_over() const {
  return output_has_ended_ || platform::peer_has_closed(socket_.descriptor());
}

bool Connection::write_all(std::span<const std::uint8_t> bytes, bool is_urgent) const {
  while (!bytes.empty()) {
    const auto written = platform::send_now(socket_.descriptor(), bytes);
    if (written) {
      bytes = bytes.subspan(*written);
    } else if (written.error() == platform::Stuck::kForGood || !wait_for_room(is_urgent)) {
      return false;
    }
  }
  return true;
}

bool Connection::wait_for_room(bool is_urgent) const {
  constexpr auto kShortTimeout = std::chrono::seconds{2};
  constexpr auto kUrgentTimeout = std::chrono::seconds{10};
  constexpr auto kPollInterval = std::chrono::milliseconds{50};
  const auto start = Clock::now();
  bool has_waited = false;
  while (
      !wait_ready(socket_.descriptor(), platform::Ready::kToWrite, Clock::now() + kPollInterval)) {
    const auto now = Clock::now();
    const auto waited = now - start;
    if (now > gives_up_at_.load() || (has_short_timeouts_ && waited > kShortTimeout) ||
        (is_urgent && waited > kUrgentTimeout)) {
      return false;
    }
    has_waited = true;
    tcp::tell_slow_from_gone(socket_.descriptor());
  }
  if (has_waited) {
    tcp::has_room_again(socket_.descriptor());
  }
  return true;
}

bool Connection::is_asked(std::uint8_t command_set, std::uint8_t command) const {
  constexpr std::size_t kLook = std::size_t{16} * 1024;
  std::array<std::uint8_t, kLook> bytes{};
  const auto got = platform::peek_now(socket_.descriptor(), bytes);
  auto rest = std::span<const std::uint8_t>(bytes).first(got.value_or(0));
  while (rest.size() >= codec::kHeaderSize) {
    const auto header = codec::read_header(rest.first<codec::kHeaderSize>());
    if (!header) {
      return false;
    }
    if (!header->is_reply() && header->command_set == command_set && header->command == command) {
      return true;
    }
    rest = rest.subspan(std::min<std::size_t>(rest.size(), header->length));
  }
  return false;
}

void Connection::end_output() {
  output_has_ended_ = true;
  platform::end_output(socket_.descriptor());
}

bool Connection::drain(Clock::time_point deadline) {
  constexpr std::size_t kPiece = std::size_t{16} * 1024;
  std::array<std::uint8_t, kPiece> dropped{};
  while (wait_ready(socket_.descriptor(), platform::Ready::kToRead, deadline)) {
    const auto got = platform::receive_now(socket_.descriptor(), dropped);
    if (got ? *got == 0 : got.error() == platform::Stuck::kForGood) {
      return true;
    }
  }
  return false;
}

bool Connection::is_delivered() const {
  return platform::is_all_received(socket_.descriptor());
}

void Connection::shut_down() {
  platform::shut_down(socket_.descriptor());
  if (end_of_link_) {
    end_of_link_();
  }
}

codec::Writer Connection::writer() const {
  return modified_utf8_ ? codec::Writer(jvm::modified_from_utf8) : codec::Writer();
}

codec::Reader Connection::reader(std::span<const std::uint8_t> payload) const {
  return modified_utf8_ ? codec::Reader(payload, jvm::utf8_from_modified) : codec::Reader(payload);
}

void Connection::watch_link(const std::string& peer_end, bool keeps) {
  const std::scoped_lock lock(write_mutex_);
  is_direct_ = !platform::is_tcp(socket_.descriptor()) ||
               (!peer_end.empty() && peer_end == tcp::peer_end(socket_.descriptor()));
  is_local_ = is_direct_ &&
              (!platform::is_tcp(socket_.descriptor()) || tcp::is_local(socket_.descriptor()));
  if (keeps && !sent_.keeps()) {
    sent_.keep(kMostKept);
  }
  is_watched_ = true;
}

std::string Connection::own_end() const {
  return tcp::own_end(socket_.descriptor());
}

Heard Connection::heard() const {
  return {.packets = heard_, .unread = platform::unread_bytes(socket_.descriptor())};
}

bool Connection::peer_answers(std::chrono::milliseconds lately) const {
  return is_direct_ && tcp::answers(socket_.descriptor(), lately);
}

bool Connection::peer_has_left() const {
  return is_local_ || (is_direct_ && tcp::has_left(socket_.descriptor()));
}

void Connection::send_beat() {
  const std::unique_lock lock(write_mutex_, std::try_to_lock);
  if (!lock || is_down_ || output_has_ended_ ||
      !wait_ready(socket_.descriptor(), platform::Ready::kToWrite,
                  Clock::now() + std::chrono::milliseconds{1})) {
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
  if (!platform::take_place_of(socket_.descriptor(), peer.socket.descriptor())) {
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

namespace {

// Shakes hands with a debugger to which the agent has connected, behind the token if there is one.
// What it may do; nothing when the peer is no debugger, has not the token or is too slow.
std::optional<Role> shake_hands(const Socket& socket, TokenGate* gate, Clock::time_point deadline) {
  GreetingDialog dialog(gate);
  std::string received;
  while (dialog.state() == GreetingDialog::State::kWaiting) {
    if (!wait_ready(socket.descriptor(), platform::Ready::kToRead, deadline) ||
        continue_dialog(socket.descriptor(), dialog, received) == GreetingDialog::State::kFailed) {
      (void)write_at_once(socket.descriptor(), dialog.farewell());
      return std::nullopt;
    }
  }
  const bool is_done = dialog.state() == GreetingDialog::State::kDone && !dialog.takes_over() &&
                       !dialog.rejoining() && write_at_once(socket.descriptor(), codec::kHandshake);
  return is_done ? std::optional(dialog.role()) : std::nullopt;
}

}  // namespace

std::expected<Peer, TransportError> connect_out(const Options& options) {
  const auto deadline = deadline_after(options.timeout);
  const Address& address = options.address;
  auto socket = address.is_unix() ? unix_socket::connect_to(address.socket_path)
                                  : tcp::connect_to(address, deadline);
  if (!socket) {
    return std::unexpected(std::move(socket.error()));
  }
  std::string where =
      address.is_unix() ? address.socket_path : address.host + ":" + std::to_string(address.port);
  const auto gate = options.tokens.empty() ? nullptr : std::make_unique<TokenGate>(options.tokens);
  const auto until = deadline ? *deadline : Clock::now() + kHandshakeTimeout;
  const auto role = shake_hands(*socket, gate.get(), until);
  if (!role) {
    return std::unexpected(transport_error(
        "no JDWP handshake from", where,
        gate ? "what listens there is no debugger with this token, or it was too slow"
             : "what listens there is no debugger, or it was too slow"));
  }
  return Peer{.socket = *std::move(socket), .name = std::move(where), .role = *role};
}

}  // namespace jvmdebug::agent
