// SPDX-License-Identifier: Apache-2.0
//
// The frame around every message: 11 bytes of header and the payload. Sans I/O: a Framer is fed
// what a socket gave and hands out whole packets. It holds at most one unfinished packet, grows
// only with bytes that really came, and refuses a length beyond kMaximumPacketSize.
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

// Ours, of the same length: instead of the handshake, to end the session of the debugger that is
// connected.
constexpr std::string_view kTakeOver = "JDWP-Take-Over";
// What the agent sends instead of the handshake to a debugger that comes second. Who is connected
// follows, and for how many seconds: `JDWP-Busy: 127.0.0.1:40000 12\n`.
constexpr std::string_view kBusy = "JDWP-Busy: ";

constexpr std::size_t kHeaderSize = 11;
// What a signed length can say: 10 million longs or references are 80 or 90 MB.
constexpr std::size_t kMaximumPacketSize = 0x7FFF'FFFF;
constexpr std::uint8_t kReplyFlag = 0x80;

enum class FramingError : std::uint8_t {
  kTooShort,  // a length less than that of a header
  kTooLong,   // a packet longer than kMaximumPacketSize
  kFlags,     // neither a command nor a reply: flags that JDWP does not have
};

// Text for people about a framing error.
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
  bool is_cut = false;  // longer than the framer keeps: the payload is left out
};

[[nodiscard]] std::expected<Header, FramingError> read_header(
    std::span<const std::uint8_t, kHeaderSize> bytes);

// Whole packets, ready to be sent.
[[nodiscard]] std::expected<std::vector<std::uint8_t>, FramingError> pack_command(
    std::uint32_t id, std::uint8_t command_set, std::uint8_t command,
    std::span<const std::uint8_t> payload);
[[nodiscard]] std::expected<std::vector<std::uint8_t>, FramingError> pack_reply(
    std::uint32_t id, protocol::Error error, std::span<const std::uint8_t> payload);

// The same without a copy of the payload, which may be large: it is written behind a header.
[[nodiscard]] Writer start_reply(Writer writer, std::uint32_t id, protocol::Error error);
[[nodiscard]] std::expected<std::vector<std::uint8_t>, FramingError> finish_packet(Writer&& packet);

class Framer {
 public:
  // A longer packet than `longest_kept` is given out without its payload, which is skipped.
  explicit Framer(std::size_t longest_kept = kMaximumPacketSize) : longest_kept_(longest_kept) {}

  void feed(std::span<const std::uint8_t> bytes);

  // The next whole packet, nothing when more bytes are needed. After an error the stream has lost
  // its frame: every later call gives the same error.
  std::expected<std::optional<Packet>, FramingError> next();

  // Bytes that were fed and belong to no packet yet.
  [[nodiscard]] std::size_t pending() const { return buffer_.size() - start_; }

 private:
  std::vector<std::uint8_t> buffer_;
  std::size_t start_ = 0;
  std::size_t longest_kept_;
  std::size_t to_skip_ = 0;  // bytes of a payload that is left out
  std::optional<FramingError> error_;
};

}  // namespace jvmdebug::codec
