// SPDX-License-Identifier: Apache-2.0
//
// The end of a connection: the peer gets everything that was written, even if it still sends.
#include <algorithm>
#include <array>
#include <chrono>
#include <doctest/doctest.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <optional>
#include <poll.h>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>
#include <utility>
#include <vector>

#include "agent/transport/sockets.h"
#include "agent/transport/tcp.h"
#include "agent/transport/transport.h"

namespace jvmdebug::agent {
namespace {

using Pair = std::pair<Socket, Socket>;

// Limits the unread data at the second end; the rest waits in the first one.
void take_little(const Socket& peer) {
  const int size = 4096;
  REQUIRE(setsockopt(peer.descriptor(), SOL_SOCKET, SO_RCVBUF, &size, sizeof size) == 0);
}

Pair tcp_pair() {
  const Socket listener(socket(AF_INET, SOCK_STREAM, 0));
  REQUIRE(listener.descriptor() >= 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  auto* const where = reinterpret_cast<sockaddr*>(&address);
  REQUIRE(bind(listener.descriptor(), where, size) == 0);
  REQUIRE(listen(listener.descriptor(), 1) == 0);
  REQUIRE(getsockname(listener.descriptor(), where, &size) == 0);
  Socket peer(socket(AF_INET, SOCK_STREAM, 0));
  take_little(peer);
  REQUIRE(connect(peer.descriptor(), where, size) == 0);
  return {Socket(accept(listener.descriptor(), nullptr, nullptr)), std::move(peer)};
}

Pair unix_pair() {
  std::array<int, 2> ends{};
  REQUIRE(socketpair(AF_UNIX, SOCK_STREAM, 0, ends.data()) == 0);
  return {Socket(ends[0]), Socket(ends[1])};
}

void check_goodbye(Pair pair) {
  const Socket peer = std::move(pair.second);
  std::vector<std::uint8_t> request(4096, 1);
  std::vector<std::uint8_t> last(100'000, 2);
  Connection connection({.socket = std::move(pair.first), .name = {}}, false);
  REQUIRE(connection.write_packet(last));
  REQUIRE(write_fully(peer.descriptor(), request));  // never read
  connection.end_output();
  std::thread leaving([&] { CHECK(connection.drain(Clock::now() + std::chrono::seconds{20})); });
  for (int number = 0; number < 10; ++number) {
    CHECK(write_fully(peer.descriptor(), request));
  }
  std::vector<std::uint8_t> received(last.size());
  CHECK(read_fully(peer.descriptor(), received));
  CHECK(received == last);
  CHECK(recv(peer.descriptor(), received.data(), 1, 0) == 0);  // the end, and no reset
  CHECK_FALSE(connection.write_packet(last));
  CHECK(write_fully(peer.descriptor(), request));  // a write that fails resets nothing either
  REQUIRE(shutdown(peer.descriptor(), SHUT_WR) == 0);
  leaving.join();
}

}  // namespace

TEST_CASE("what was written before the goodbye arrives though the peer still sends") {
  SUBCASE("TCP") {
    check_goodbye(tcp_pair());
  }
  SUBCASE("UNIX") {
    check_goodbye(unix_pair());
  }
}

TEST_CASE("a peer that does not close is waited for until the deadline only") {
  Pair pair = unix_pair();
  Connection connection({.socket = std::move(pair.first), .name = {}}, false);
  connection.end_output();
  const auto begun = Clock::now();
  CHECK_FALSE(connection.drain(begun + std::chrono::milliseconds{50}));
  CHECK(Clock::now() - begun >= std::chrono::milliseconds{50});
}

TEST_CASE("what is not written by the end of the VM is given up") {
  Pair pair = tcp_pair();
  const Socket peer = std::move(pair.second);
  Connection connection({.socket = std::move(pair.first), .name = {}}, false);
  CHECK(connection.is_delivered());
  const std::vector<std::uint8_t> packet(std::size_t{64} * 1024 * 1024, 1);
  const auto begun = Clock::now();
  std::thread ending([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds{100});  // meanwhile it is written
    connection.give_up_at(Clock::now() + std::chrono::milliseconds{100});
  });
  CHECK_FALSE(connection.write_packet(packet));
  CHECK(Clock::now() - begun < std::chrono::seconds{5});
  CHECK_FALSE(connection.is_delivered());
  ending.join();
}

#ifdef TCP_USER_TIMEOUT
TEST_CASE(
    "a debugger that does not answer is given up after two minutes, one that reads late not") {
  constexpr unsigned kTwoMinutes = 120'000;
  const auto listening = tcp::listen_on({.host = {}, .port = 0, .socket_path = {}});
  REQUIRE(listening);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(listening->port);
  Socket peer(socket(AF_INET, SOCK_STREAM, 0));
  take_little(peer);
  REQUIRE(connect(peer.descriptor(), reinterpret_cast<sockaddr*>(&address), sizeof address) == 0);
  REQUIRE(
      wait_ready(listening->socket.descriptor(), agent::platform::Ready::kToRead, std::nullopt));
  auto accepted = tcp::accept_from(listening->socket, {});
  REQUIRE(accepted);
  auto& peer_of = *accepted;
  if (!peer_of) {
    FAIL("nobody has connected");
    return;
  }
  const int descriptor = peer_of->socket.descriptor();
  const auto limit = [descriptor] {
    unsigned milliseconds = 0;
    socklen_t size = sizeof milliseconds;
    CHECK(getsockopt(descriptor, IPPROTO_TCP, TCP_USER_TIMEOUT, &milliseconds, &size) == 0);
    return milliseconds;
  };
  CHECK(limit() == kTwoMinutes);
  Connection connection(*std::move(peer_of), false);
  std::vector<std::uint8_t> packet(std::size_t{64} * 1024 * 1024, 1);
  std::thread writing([&] { CHECK(connection.write_packet(packet)); });
  while (limit() != 0) {  // nothing is read, but the system there answers
    std::this_thread::sleep_for(std::chrono::milliseconds{10});
  }
  std::vector<std::uint8_t> received(packet.size());
  CHECK(read_fully(peer.descriptor(), received));
  writing.join();
  CHECK(limit() == kTwoMinutes);
}
#endif

TEST_CASE("what a debugger has not received is kept, one packet each") {
  const auto packet = [](std::size_t payload) {
    return *codec::pack_command(1, 64, 100, std::vector<std::uint8_t>(payload));
  };
  SentPackets sent;
  sent.add(packet(5));  // before anything is kept
  sent.keep(100);
  auto two = packet(7);
  const auto second = packet(9);
  two.insert(two.end(), second.begin(), second.end());
  sent.add(two);
  CHECK(sent.has_all_after(1));
  CHECK_FALSE(sent.has_all_after(0));
  CHECK_FALSE(sent.has_all_after(4));
  CHECK(sent.unreceived().size() == 2);
  sent.received(2);
  REQUIRE(sent.unreceived().size() == 1);
  CHECK(sent.unreceived().front() == second);
  CHECK_FALSE(sent.has_all_after(1));
  sent.add(packet(200));  // more than is kept
  CHECK(sent.unreceived().empty());
  CHECK(sent.has_all_after(4));
  CHECK_FALSE(sent.has_all_after(3));
}

TEST_CASE("a debugger that comes back goes on with what it has not received") {
  auto [ours, theirs] = tcp_pair();
  Connection connection({.socket = std::move(ours), .name = {}}, false);
  connection.watch_link({}, true);
  const auto packet = *codec::pack_command(1, 64, 100, std::vector<std::uint8_t>(3));
  CHECK(connection.write_packet(packet));
  connection.lose_link();
  CHECK(connection.is_down());
  CHECK(connection.write_packet(packet));          // kept
  CHECK_FALSE(connection.write_promptly(packet));  // while the VM is stopped nothing is
  auto [again, peer] = tcp_pair();
  CHECK(connection.rejoin({.socket = std::move(again), .name = {}}, 1, true));
  CHECK_FALSE(connection.is_down());
  std::vector<std::uint8_t> got(codec::kHandshake.size() + 1 + 8 + packet.size());
  REQUIRE(read_fully(peer.descriptor(), got));
  CHECK(got[codec::kHandshake.size()] == 1);
  CHECK(std::ranges::equal(std::span(got).last(packet.size()), packet));
  connection.lose_link();
  auto [third, other] = tcp_pair();
  CHECK_FALSE(connection.rejoin({.socket = std::move(third), .name = {}}, 0, true));  // long gone
}

}  // namespace jvmdebug::agent
