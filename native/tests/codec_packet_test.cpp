// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <doctest/doctest.h>
#include <memory>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "codec/packet.h"

namespace jvmdebug::tests {

using codec::Framer;
using codec::FramingError;

namespace {

constexpr std::array<std::uint8_t, 3> kPayload = {'a', 'b', 'c'};

TEST_CASE("packets are laid out as specified") {
  const auto command = codec::pack_command(0x01020304, 11, 6, kPayload);
  const std::vector<std::uint8_t> expected_command = {0, 0, 0,  14, 1,   2,   3,
                                                      4, 0, 11, 6,  'a', 'b', 'c'};
  CHECK(command == expected_command);
  const auto reply = codec::pack_reply(5, protocol::Error::kInvalidTag, {});
  const std::vector<std::uint8_t> expected_reply = {0, 0, 0, 11, 0, 0, 0, 5, 0x80, 1, 0xF4};
  CHECK(reply == expected_reply);
}

TEST_CASE("a packet beyond 2 GiB is refused") {
  // Zeroes that are never read take no memory.
  constexpr std::size_t kSize = codec::kMaximumPacketSize - codec::kHeaderSize + 1;
  const std::unique_ptr<void, void (*)(void*)> zeroes(std::calloc(kSize, 1), std::free);
  CHECK(zeroes != nullptr);
  const std::span<const std::uint8_t> larger(static_cast<const std::uint8_t*>(zeroes.get()), kSize);
  CHECK(codec::pack_command(1, 1, 1, larger).error() == FramingError::kTooLong);
  CHECK(codec::pack_reply(1, protocol::Error::kNone, larger).error() == FramingError::kTooLong);
}

TEST_CASE("a reply is written behind its header") {
  codec::Writer writer = codec::start_reply({}, 7, protocol::Error::kInvalidTag);
  writer.write_span(kPayload);
  CHECK(codec::finish_packet(std::move(writer)) ==
        codec::pack_reply(7, protocol::Error::kInvalidTag, kPayload));
}

TEST_CASE("packets are framed byte by byte") {
  auto stream = codec::pack_command(1, 2, 3, kPayload).value();
  const auto reply = codec::pack_reply(9, protocol::Error::kVmDead, {}).value();
  stream.insert(stream.end(), reply.begin(), reply.end());
  Framer framer;
  std::vector<codec::Packet> packets;
  for (const std::uint8_t& byte : stream) {
    framer.feed({&byte, 1});
    auto packet = framer.next();
    CHECK(packet.has_value());
    if (packet && *packet) {
      packets.push_back(**packet);
    }
  }
  CHECK(packets.size() == 2);
  CHECK(packets.at(0).header.command_set == 2);
  CHECK(packets.at(0).header.command == 3);
  CHECK(!packets.at(0).header.is_reply());
  CHECK(std::vector(kPayload.begin(), kPayload.end()) == packets.at(0).payload);
  CHECK(packets.at(1).header.is_reply());
  CHECK(packets.at(1).header.id == 9);
  CHECK(packets.at(1).header.error == protocol::Error::kVmDead);
  CHECK(framer.pending() == 0);
}

TEST_CASE("impossible lengths end the stream") {
  struct Case {
    std::array<std::uint8_t, 4> length;
    FramingError error;
  };

  constexpr std::array kCases = {
      Case{{0, 0, 0, 0}, FramingError::kTooShort},
      Case{{0, 0, 0, 10}, FramingError::kTooShort},
      Case{{0x80, 0, 0, 0}, FramingError::kTooLong},
      Case{{0xFF, 0xFF, 0xFF, 0xFF}, FramingError::kTooLong},
  };
  for (const Case& one : kCases) {
    Framer framer;
    framer.feed(codec::pack_command(1, 2, 3, kPayload).value());
    framer.feed(one.length);
    framer.feed(std::array<std::uint8_t, 7>{});
    CHECK(framer.next().value().has_value());
    CHECK(framer.next().error() == one.error);
    framer.feed(codec::pack_command(1, 2, 3, kPayload).value());
    CHECK(framer.next().error() == one.error);
    CHECK(framer.pending() == 0);
    CHECK(!codec::describe(one.error).empty());
  }
}

}  // namespace

}  // namespace jvmdebug::tests
