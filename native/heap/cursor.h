// SPDX-License-Identifier: Apache-2.0
//
// A position in the bytes of a dump: big-endian numbers, ids of the file's size, each checked
// against the end. Used by all readers of records.
#pragma once

#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "heap/mapped_file.h"

namespace jvmdebug::heap {

template <std::unsigned_integral Number>
[[nodiscard]] Number load(const std::uint8_t* from) {
  Number number{};
  std::memcpy(&number, from, sizeof number);
  return std::endian::native == std::endian::big ? number : std::byteswap(number);
}

class Cursor {
 public:
  Cursor(std::span<const std::uint8_t> bytes, std::size_t id_size, std::size_t position = 0)
      : bytes_(bytes), id_size_(id_size), position_(position) {}

  [[nodiscard]] std::size_t position() const { return position_; }

  [[nodiscard]] std::size_t left() const { return bytes_.size() - position_; }

  [[nodiscard]] bool at_end() const { return position_ >= bytes_.size(); }

  void skip(std::size_t count) {
    need(count);
    position_ += count;
  }

  [[nodiscard]] std::uint8_t u1() { return number<std::uint8_t>(); }

  [[nodiscard]] std::uint16_t u2() { return number<std::uint16_t>(); }

  [[nodiscard]] std::uint32_t u4() { return number<std::uint32_t>(); }

  [[nodiscard]] std::uint64_t u8() { return number<std::uint64_t>(); }

  [[nodiscard]] std::uint64_t id() { return id_size_ == sizeof(std::uint64_t) ? u8() : u4(); }

  [[nodiscard]] std::span<const std::uint8_t> take(std::size_t count) {
    need(count);
    position_ += count;
    return bytes_.subspan(position_ - count, count);
  }

 private:
  void need(std::size_t count) const {
    if (count > bytes_.size() - position_) {
      throw CutError();
    }
  }

  template <std::unsigned_integral Number>
  Number number() {
    need(sizeof(Number));
    const auto read = load<Number>(&bytes_[position_]);
    position_ += sizeof(Number);
    return read;
  }

  std::span<const std::uint8_t> bytes_;
  std::size_t id_size_;
  std::size_t position_;
};

}  // namespace jvmdebug::heap
