// SPDX-License-Identifier: Apache-2.0
#include "codec/packet.h"

#include <algorithm>
#include <utility>

#include "codec/reader.h"

namespace jvmdebug::codec {

namespace {

// The capacity that a framer keeps for the next packets after a large one.
constexpr std::size_t kKeptCapacity = std::size_t{1024} * 1024;

std::expected<Writer, FramingError> start_packet(std::uint32_t id, std::uint8_t flags,
                                                 std::size_t payload_size) {
  if (payload_size > kMaximumPacketSize - kHeaderSize) {
    return std::unexpected(FramingError::kTooLong);
  }
  Writer writer;
  writer.reserve(kHeaderSize + payload_size);
  writer.write_count(kHeaderSize + payload_size);
  writer.write_unsigned(id, 4);
  writer.write_unsigned(flags, 1);
  return writer;
}

}  // namespace

std::string_view describe(FramingError error) {
  switch (error) {
    case FramingError::kTooShort:
      return "a packet says it is shorter than its own header";
    case FramingError::kTooLong:
      return "a packet is longer than 2 GiB";
    case FramingError::kFlags:
      return "a packet has flags that are neither those of a command nor of a reply";
  }
  return "a packet has no valid frame";
}

std::expected<Header, FramingError> read_header(std::span<const std::uint8_t, kHeaderSize> bytes) {
  Reader reader(bytes);
  Header header;
  header.length = static_cast<std::uint32_t>(reader.read_int());
  header.id = static_cast<std::uint32_t>(reader.read_int());
  header.flags = static_cast<std::uint8_t>(reader.read_byte());
  if (header.is_reply()) {
    header.error = static_cast<protocol::Error>(reader.read_unsigned_short());
  } else {
    header.command_set = static_cast<std::uint8_t>(reader.read_byte());
    header.command = static_cast<std::uint8_t>(reader.read_byte());
  }
  if (header.flags != 0 && header.flags != kReplyFlag) {
    return std::unexpected(FramingError::kFlags);
  }
  if (header.length < kHeaderSize) {
    return std::unexpected(FramingError::kTooShort);
  }
  if (header.length > kMaximumPacketSize) {
    return std::unexpected(FramingError::kTooLong);
  }
  return header;
}

std::expected<std::vector<std::uint8_t>, FramingError> pack_command(
    std::uint32_t id, std::uint8_t command_set, std::uint8_t command,
    std::span<const std::uint8_t> payload) {
  auto writer = start_packet(id, 0, payload.size());
  if (!writer) {
    return std::unexpected(writer.error());
  }
  writer->write_unsigned(command_set, 1);
  writer->write_unsigned(command, 1);
  writer->write_span(payload);
  return writer->take();
}

std::expected<std::vector<std::uint8_t>, FramingError> pack_reply(
    std::uint32_t id, protocol::Error error, std::span<const std::uint8_t> payload) {
  auto writer = start_packet(id, kReplyFlag, payload.size());
  if (!writer) {
    return std::unexpected(writer.error());
  }
  writer->write_enum(error);
  writer->write_span(payload);
  return writer->take();
}

Writer start_reply(Writer writer, std::uint32_t id, protocol::Error error) {
  writer.write_count(0);  // the length, see finish_packet
  writer.write_unsigned(id, 4);
  writer.write_unsigned(kReplyFlag, 1);
  writer.write_enum(error);
  return writer;
}

std::expected<std::vector<std::uint8_t>, FramingError> finish_packet(Writer&& packet) {
  if (packet.size() > kMaximumPacketSize) {
    return std::unexpected(FramingError::kTooLong);
  }
  packet.overwrite_int(0, static_cast<std::int32_t>(packet.size()));
  return std::move(packet).take();
}

void Framer::feed(std::span<const std::uint8_t> bytes) {
  if (error_) {
    return;
  }
  if (start_ > 0) {
    buffer_.erase(buffer_.begin(), buffer_.begin() + static_cast<std::ptrdiff_t>(start_));
    start_ = 0;
    if (buffer_.empty() && buffer_.capacity() > kKeptCapacity) {
      buffer_.shrink_to_fit();
    }
  }
  const std::size_t skipped = std::min(to_skip_, bytes.size());
  to_skip_ -= skipped;
  const auto kept = bytes.subspan(skipped);
  buffer_.insert(buffer_.end(), kept.begin(), kept.end());
}

std::expected<std::optional<Packet>, FramingError> Framer::next() {
  if (error_) {
    return std::unexpected(*error_);
  }
  const auto rest = std::span<const std::uint8_t>(buffer_).subspan(start_);
  if (rest.size() < kHeaderSize) {
    return std::nullopt;
  }
  const auto header = read_header(rest.first<kHeaderSize>());
  if (!header) {
    error_ = header.error();
    buffer_.clear();
    start_ = 0;
    return std::unexpected(*error_);
  }
  if (header->length > longest_kept_) {
    const std::size_t here = std::min<std::size_t>(rest.size(), header->length);
    start_ += here;
    to_skip_ = header->length - here;
    return Packet{.header = *header, .payload = {}, .is_cut = true};
  }
  if (rest.size() < header->length) {
    return std::nullopt;
  }
  const auto payload = rest.subspan(kHeaderSize, header->payload_size());
  start_ += header->length;
  return Packet{.header = *header, .payload = {payload.begin(), payload.end()}};
}

}  // namespace jvmdebug::codec
