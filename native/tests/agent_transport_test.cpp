// SPDX-License-Identifier: Apache-2.0
//
// The goodbye of a connection: the peer gets all that was written, though it still sends.
#include <array>
#include <chrono>
#include <doctest/doctest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>
#include <utility>
#include <vector>

#include "agent/transport/sockets.h"
#include "agent/transport/transport.h"

namespace jvmdebug::agent {
namespace {

using Pair = std::pair<Socket, Socket>;

// The second end takes little that it has not read: the rest waits in the first one.
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

}  // namespace jvmdebug::agent
