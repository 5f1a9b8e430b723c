// SPDX-License-Identifier: Apache-2.0
//
// The output of a heap dump: puts records together and sends them in parts. Bytes whose place is
// known before their content (the classes) can be sent last. Used by HeapDump in callbacks while
// the VM is stopped, so it makes no call into the VM and takes no lock but the connection's.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <iterator>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "codec/big_endian.h"

namespace jvmdebug::agent::heap {

class HprofStream {
 public:
  static constexpr std::size_t kPart = std::size_t{512} * 1024;  // how many bytes are kept, about

  // Sends a part; false if no more is wanted.
  using Send = std::function<bool(std::uint64_t position, std::span<const std::uint8_t> bytes)>;

  explicit HprofStream(Send send) : send_(std::move(send)) {}

  void u1(std::uint8_t value) { bytes_.push_back(value); }

  void u2(std::uint16_t value) { big_endian(value); }

  void u4(std::uint32_t value) { big_endian(value); }

  void u8(std::uint64_t value) { big_endian(value); }

  void id(std::uint64_t value) { u8(value); }

  // Writes the lowest 1 to 8 bytes of a number.
  void number(std::uint64_t value, std::size_t width);
  // Writes numbers of `width` bytes (1, 2, 4 or 8), given in this machine's byte order.
  void numbers(std::span<const std::uint8_t> content, std::size_t width);
  void bytes(std::span<const std::uint8_t> content);
  void zeros(std::size_t count);

  // Returns the id of a text, and writes its record if it is new. Must not be called within the
  // heap's records.
  [[nodiscard]] std::uint64_t text(std::string_view text);

  void begin_record(std::uint8_t tag, std::uint32_t length);

  // Begins and ends the part with records of objects and roots; call `settled` after each record.
  void begin_heap();

  void settled() {
    if (bytes_.size() >= kPart) {
      flush_heap();
    }
  }

  // Begins a record that is too long to be kept: its size is known, and it is sent while it is
  // written.
  void begin_long_record(std::uint32_t size);

  void send_what_is_there() {
    if (bytes_.size() >= kPart) {
      flush();
    }
  }

  void end_long_record();
  void end_heap();

  // A record whose content is written later, by `fill`.
  struct Gap {
    std::uint64_t position = 0;
    std::uint32_t length = 0;
  };

  [[nodiscard]] Gap leave_out(std::uint8_t tag, std::uint32_t length);
  void fill(const Gap& gap, std::span<const std::uint8_t> content);

  void flush();

  [[nodiscard]] bool is_wanted() const { return is_wanted_; }

  [[nodiscard]] std::uint64_t size() const { return position_; }

 private:
  template <std::unsigned_integral Number>
  void big_endian(Number value) {
    const Number wire = codec::big_endian(value);
    bytes_.resize(bytes_.size() + sizeof wire);
    std::memcpy(&*std::prev(bytes_.end(), sizeof wire), &wire, sizeof wire);
  }

  template <std::unsigned_integral Number>
  void big_endians(std::span<const std::uint8_t> content);

  void flush_heap();

  Send send_;
  std::vector<std::uint8_t> bytes_;
  std::uint64_t position_ = 0;  // of the first of them
  bool is_wanted_ = true;
  std::unordered_map<std::string, std::uint64_t> texts_;
};

}  // namespace jvmdebug::agent::heap
