// SPDX-License-Identifier: Apache-2.0
//
// Reads structures in the memory of HotSpot, for what neither JNI nor JVM TI tells. The VM exports
// tables of where its structures have their fields and of what its constants are, for tools that
// read its memory from outside (gHotSpotVMStructs, gHotSpotVMIntConstants). This reads the same
// memory from inside, with the kernel's help, so that a bad address gives an error, not a crash.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#ifdef __linux__
#include <sys/uio.h>
#include <unistd.h>
#endif

#include "agent/jvm/env.h"

namespace jvmdebug::agent::jvm {

// What the library of the VM exports; null where it has none of that name.
using VmExports = std::function<void*(const char* name)>;

// Those of the VM of an environment, which is to be there for as long as they are used.
[[nodiscard]] VmExports exports_of(const Env& env);

using Address = const std::byte*;

template <class T>
struct Field {
  Address address;
  T* value;
};

// All of them by one call; false if one cannot be read.
template <class... T>
bool read([[maybe_unused]] Field<T>... fields) {
  static_assert((std::is_trivially_copyable_v<T> && ...));
#ifdef __linux__
  const std::array<iovec, sizeof...(T)> to{
      iovec{.iov_base = fields.value, .iov_len = sizeof(T)}...};
  const std::array<iovec, sizeof...(T)> from{
      iovec{.iov_base = const_cast<std::byte*>(fields.address), .iov_len = sizeof(T)}...};
  return process_vm_readv(getpid(), to.data(), to.size(), from.data(), from.size(), 0) ==
         static_cast<ssize_t>((sizeof(T) + ...));
#else
  return false;
#endif
}

template <class T>
std::optional<T> read(Address address) {
  T value{};
  return read(Field{.address = address, .value = &value}) ? std::optional(value) : std::nullopt;
}

struct Range {
  Address address;
  std::size_t size;
};

// All of them, one behind the other, by few calls; false if one cannot be read. `to` has the room.
[[nodiscard]] bool read(std::span<const Range> from, std::span<std::byte> to);

// One at each address.
template <class T>
std::optional<std::vector<T>> read_each(std::span<const Address> addresses) {
  static_assert(std::is_trivially_copyable_v<T>);
  std::vector<Range> from;
  for (const auto* const address : addresses) {
    from.push_back({.address = address, .size = sizeof(T)});
  }
  std::vector<T> values(addresses.size());
  return read(from, std::as_writable_bytes(std::span(values))) ? std::optional(std::move(values))
                                                               : std::nullopt;
}

struct WantedField {
  std::string_view type;
  std::string_view field;
  std::uint64_t* offset;
};

struct WantedConstant {
  std::string_view name;
  std::int32_t* value;
};

// Both fill in those that the VM has, and return how many these are.
[[nodiscard]] std::size_t find_fields(const VmExports& exports,
                                      std::span<const WantedField> wanted);
[[nodiscard]] std::size_t find_constants(const VmExports& exports,
                                         std::span<const WantedConstant> wanted);

}  // namespace jvmdebug::agent::jvm
