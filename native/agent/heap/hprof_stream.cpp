// SPDX-License-Identifier: Apache-2.0
#include "agent/heap/hprof_stream.h"

#include <algorithm>
#include <cstring>

namespace jvmdebug::agent::heap {
namespace {

constexpr std::uint8_t kText = 0x01;
constexpr std::uint8_t kSegment = 0x1C;
constexpr std::uint8_t kHeapEnd = 0x2C;
constexpr std::size_t kRecordHeader = 9;
constexpr unsigned kByte = 8;

}  // namespace

void HprofStream::number(std::uint64_t value, std::size_t width) {
  const std::uint64_t wire = codec::big_endian(value << (kByte * (sizeof value - width)));
  bytes(std::span(reinterpret_cast<const std::uint8_t*>(&wire), width));
}

template <std::unsigned_integral Number>
void HprofStream::big_endians(std::span<const std::uint8_t> content) {
  const std::size_t begin = bytes_.size();
  bytes_.resize(begin + content.size());
  for (std::size_t at = 0; at + sizeof(Number) <= content.size(); at += sizeof(Number)) {
    Number value = 0;
    std::memcpy(&value, &content[at], sizeof value);
    value = codec::big_endian(value);
    std::memcpy(&bytes_[begin + at], &value, sizeof value);
  }
}

void HprofStream::numbers(std::span<const std::uint8_t> content, std::size_t width) {
  switch (width) {
    case sizeof(std::uint16_t):
      return big_endians<std::uint16_t>(content);
    case sizeof(std::uint32_t):
      return big_endians<std::uint32_t>(content);
    case sizeof(std::uint64_t):
      return big_endians<std::uint64_t>(content);
    default:
      return bytes(content);
  }
}

void HprofStream::bytes(std::span<const std::uint8_t> content) {
  bytes_.insert(bytes_.end(), content.begin(), content.end());
}

void HprofStream::zeros(std::size_t count) {
  bytes_.resize(bytes_.size() + count);
}

std::uint64_t HprofStream::text(std::string_view text) {
  const auto [entry, is_new] = texts_.try_emplace(std::string(text), texts_.size() + 1);
  if (is_new) {
    begin_record(kText, static_cast<std::uint32_t>(sizeof(std::uint64_t) + text.size()));
    id(entry->second);
    bytes({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
  }
  return entry->second;
}

void HprofStream::begin_record(std::uint8_t tag, std::uint32_t length) {
  if (bytes_.size() >= kPart) {
    flush();
  }
  u1(tag);
  u4(0);
  u4(length);
}

void HprofStream::begin_heap() {
  flush();
  zeros(kRecordHeader);
}

// Sends the kept bytes as one record, because its length is known now.
void HprofStream::flush_heap() {
  if (bytes_.size() > kRecordHeader) {
    const std::uint32_t length =
        codec::big_endian(static_cast<std::uint32_t>(bytes_.size() - kRecordHeader));
    bytes_.front() = kSegment;
    std::memcpy(&bytes_[kRecordHeader - sizeof length], &length, sizeof length);
    flush();
  }
  bytes_.clear();
  zeros(kRecordHeader);
}

void HprofStream::begin_long_record(std::uint32_t size) {
  flush_heap();
  bytes_.clear();
  begin_record(kSegment, size);
}

void HprofStream::end_long_record() {
  flush();
  zeros(kRecordHeader);
}

void HprofStream::end_heap() {
  flush_heap();
  bytes_.clear();
  begin_record(kHeapEnd, 0);
}

HprofStream::Gap HprofStream::leave_out(std::uint8_t tag, std::uint32_t length) {
  begin_record(tag, length);
  flush();
  const Gap gap{.position = position_, .length = length};
  position_ += length;
  return gap;
}

void HprofStream::fill(const Gap& gap, std::span<const std::uint8_t> content) {
  for (std::size_t at = 0; at < content.size() && is_wanted_; at += kPart) {
    const auto part = content.subspan(at, std::min(kPart, content.size() - at));
    is_wanted_ = send_(gap.position + at, part);
  }
}

void HprofStream::flush() {
  for (std::size_t at = 0; at < bytes_.size() && is_wanted_; at += kPart) {
    const auto rest = std::span<const std::uint8_t>(bytes_).subspan(at);
    is_wanted_ = send_(position_ + at, rest.first(std::min(kPart, rest.size())));
  }
  position_ += bytes_.size();
  bytes_.clear();
}

}  // namespace jvmdebug::agent::heap
