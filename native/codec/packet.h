// SPDX-License-Identifier: Apache-2.0
//
// The frame around every message: 11 bytes of header and the payload. Without I/O: a Framer is fed
// the bytes of a socket and returns whole packets. It holds at most one unfinished packet, grows
// only with received bytes, and refuses a length beyond kMaximumPacketSize.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "codec/generated/constants.h"
#include "codec/writer.h"

namespace jvmdebug::codec {

// Both sides send these 14 bytes first.
constexpr std::string_view kHandshake = "JDWP-Handshake";

// Our own greeting, of the same length: sent instead of the handshake, to end the session of the
// connected debugger.
constexpr std::string_view kTakeOver = "JDWP-Take-Over";
// Sent by the agent instead of the handshake to a second debugger. The address of the connected one
// follows, and for how many seconds it has been connected: `JDWP-Busy: 127.0.0.1:40000 12\n`.
constexpr std::string_view kBusy = "JDWP-Busy: ";

// Our own greeting of a debugger that has a token, of the same length (see TokenGate); and what
// an agent with a token answers to any other greeting.
constexpr std::string_view kTokenGreeting = "JDWP-Token-001";
constexpr std::string_view kTokenNeeded = "JDWP-Token-needed\n";

// Our own greeting, of the same length, of a debugger that comes back after its link was lost: its
// session (16 bytes) and how many packets it has received (8 bytes) follow. The agent answers with
// the handshake, a byte that is 1 if the program went on meanwhile, and how many commands it has
// received (8 bytes); or with kNotRejoined, and closes the connection.
constexpr std::string_view kRejoin = "JDWP-Rejoin-01";
constexpr std::string_view kNotRejoined = "JDWP-No-Rejoin";
constexpr std::size_t kSessionSize = 16;

constexpr std::size_t kHeaderSize = 11;
// The limit of a signed length; 10 million longs or references are 80 or 90 MB.
constexpr std::size_t kMaximumPacketSize = 0x7FFF'FFFF;
constexpr std::uint8_t kReplyFlag = 0x80;

enum class FramingError : std::uint8_t {
  kTooShort,  // a length less than that of a header
  kTooLong,   // a packet longer than kMaximumPacketSize
  kFlags,     // neither a command nor a reply: flags that JDWP does not have
};

// Describes a framing error for people.
[[nodiscard]] std::string_view describe(FramingError error);

// The header of a packet. A command has a command set and a command, a reply an error.
struct Header {
  std::uint32_t length = 0;  // of the whole packet, header included
  std::uint32_t id = 0;
  std::uint8_t flags = 0;
  std::uint8_t command_set = 0;
  std::uint8_t command = 0;
  protocol::Error error = protocol::Error::kNone;

  [[nodiscard]] bool is_reply() const { return (flags & kReplyFlag) != 0; }

  [[nodiscard]] std::size_t payload_size() const { return length - kHeaderSize; }
};

struct Packet {
  Header header;
  std::vector<std::uint8_t> payload;
  bool is_cut = false;  // longer than the framer keeps: without the payload
};

[[nodiscard]] std::expected<Header, FramingError> read_header(
    std::span<const std::uint8_t, kHeaderSize> bytes);

// Makes whole packets, ready to be sent.
[[nodiscard]] std::expected<std::vector<std::uint8_t>, FramingError> pack_command(
    std::uint32_t id, std::uint8_t command_set, std::uint8_t command,
    std::span<const std::uint8_t> payload);
[[nodiscard]] std::expected<std::vector<std::uint8_t>, FramingError> pack_reply(
    std::uint32_t id, protocol::Error error, std::span<const std::uint8_t> payload);

// The same without a copy of the payload, which may be large: begins with the header, and the
// payload is written behind it.
[[nodiscard]] Writer start_reply(Writer writer, std::uint32_t id, protocol::Error error);
[[nodiscard]] std::expected<std::vector<std::uint8_t>, FramingError> finish_packet(Writer&& packet);

class Framer {
 public:
  // The payload of a packet that is longer than `longest_kept` is skipped, and the packet is
  // returned without it.
  explicit Framer(std::size_t longest_kept = kMaximumPacketSize) : longest_kept_(longest_kept) {}

  void feed(std::span<const std::uint8_t> bytes);

  // Returns the next whole packet, nothing when more bytes are needed. After an error the
  // boundaries of packets are lost, so every later call returns the same error.
  std::expected<std::optional<Packet>, FramingError> next();

  // The number of bytes that belong to no whole packet yet.
  [[nodiscard]] std::size_t pending() const { return buffer_.size() - start_; }

 private:
  std::vector<std::uint8_t> buffer_;
  std::size_t start_ = 0;
  std::size_t longest_kept_;
  std::size_t to_skip_ = 0;  // bytes of a skipped payload
  std::optional<FramingError> error_;
};

}  // namespace jvmdebug::codec
