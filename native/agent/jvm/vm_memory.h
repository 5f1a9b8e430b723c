// SPDX-License-Identifier: Apache-2.0
//
// Reads memory of this process at addresses that may be wrong: a bad address gives an error, not a
// crash (platform/memory_map.h). What the reading uses of the system exists only as long as this
// object, which is made for a few reads that belong together.
#pragma once

#include <array>
#include <cstddef>
#include <cstring>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "agent/platform/memory_map.h"

namespace jvmdebug::agent::jvm {

using Address = const std::byte*;

template <class T>
struct Field {
  Address address;
  T* value;
};

using Range = platform::MemoryRange;

// Any thread, one at a time.
class VmMemory {
 public:
  // Reads all ranges, one behind the other, with few system calls. False if one cannot be read, and
  // for all later reads. `to` must have room for them.
  [[nodiscard]] bool read(std::span<const Range> from, std::span<std::byte> to);

  // Reads all values; false if one cannot be read.
  template <class... T>
  [[nodiscard]] bool read(Field<T>... fields) {
    static_assert((std::is_trivially_copyable_v<T> && ...));
    const std::array<Range, sizeof...(T)> from{
        Range{.address = fields.address, .size = sizeof(T)}...};
    std::array<std::byte, (sizeof(T) + ...)> bytes{};
    if (!read(from, bytes)) {
      return false;
    }
    const std::byte* at = bytes.data();
    ((std::memcpy(fields.value, at, sizeof(T)), at += sizeof(T)), ...);
    return true;
  }

  template <class T>
  [[nodiscard]] std::optional<T> read(Address address) {
    T value{};
    return read(Field{.address = address, .value = &value}) ? std::optional(value) : std::nullopt;
  }

  // Reads one value at each address.
  template <class T>
  [[nodiscard]] std::optional<std::vector<T>> read_each(std::span<const Address> addresses) {
    static_assert(std::is_trivially_copyable_v<T>);
    std::vector<Range> from;
    for (const auto* const address : addresses) {
      from.push_back({.address = address, .size = sizeof(T)});
    }
    std::vector<T> values(addresses.size());
    return read(from, std::as_writable_bytes(std::span(values))) ? std::optional(std::move(values))
                                                                 : std::nullopt;
  }

 private:
  platform::MemoryReader reader_;
};

}  // namespace jvmdebug::agent::jvm
