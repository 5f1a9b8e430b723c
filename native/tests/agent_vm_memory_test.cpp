// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <doctest/doctest.h>
#include <numeric>
#include <span>
#include <vector>

#ifdef __linux__
#include <sys/mman.h>
#include <unistd.h>
#endif

#include "agent/jvm/vm_memory.h"

namespace jvmdebug::tests {
namespace {

using agent::jvm::Address;
using agent::jvm::Field;
using agent::jvm::Range;
using agent::jvm::VmMemory;

Address address_of(const void* place) {
  return static_cast<Address>(place);
}

std::vector<std::byte> numbered(std::size_t size) {
  std::vector<std::byte> bytes(size);
  for (std::size_t at = 0; at < size; ++at) {
    bytes[at] = static_cast<std::byte>(at * 31 + at / 251);
  }
  return bytes;
}

#ifdef __linux__
// Two pages, of which the second cannot be read.
class HalfReadable {
 public:
  HalfReadable()
      : size_(static_cast<std::size_t>(sysconf(_SC_PAGESIZE))),
        begin_(
            mmap(nullptr, 2 * size_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)) {
    REQUIRE(begin_ != MAP_FAILED);
    REQUIRE(mprotect(static_cast<std::byte*>(begin_) + size_, size_, PROT_NONE) == 0);
  }

  HalfReadable(const HalfReadable&) = delete;
  HalfReadable& operator=(const HalfReadable&) = delete;
  HalfReadable(HalfReadable&&) = delete;
  HalfReadable& operator=(HalfReadable&&) = delete;

  ~HalfReadable() { munmap(begin_, 2 * size_); }

  [[nodiscard]] Address end() const { return address_of(begin_) + size_; }

 private:
  std::size_t size_;
  void* begin_;
};
#endif

}  // namespace

TEST_SUITE_BEGIN("memory of the VM");

#ifdef __linux__

TEST_CASE("fields, and ranges of any number and size") {
  VmMemory memory;
  const std::int32_t number = 7;
  const std::uint16_t half = 9;
  std::int32_t read_number = 0;
  std::uint16_t read_half = 0;
  REQUIRE(memory.read(Field{.address = address_of(&number), .value = &read_number},
                      Field{.address = address_of(&half), .value = &read_half}));
  CHECK(read_number == 7);
  CHECK(read_half == 9);
  for (const std::size_t size : {0, 1, 4095, 4096, 4097, 100'000}) {
    const auto bytes = numbered(size);
    std::vector<std::byte> copy(size);
    REQUIRE(memory.read(std::array{Range{.address = bytes.data(), .size = size}}, copy));
    CHECK(copy == bytes);
  }
  const auto bytes = numbered(3000);
  std::vector<Address> addresses;
  addresses.reserve(bytes.size());
  for (const std::byte& each : bytes) {
    addresses.push_back(&each);
  }
  CHECK(memory.read_each<std::byte>(addresses) == bytes);
  CHECK(memory.read_each<std::byte>({}) == std::vector<std::byte>{});
}

TEST_CASE("an address that is none is an error, wherever it is") {
  const auto bytes = numbered(8192);
  const HalfReadable half;
  const auto* const nowhere = std::bit_cast<Address>(std::uintptr_t{16});
  for (const Range wrong :
       {Range{.address = nowhere, .size = 8}, Range{.address = half.end(), .size = 1},
        Range{.address = half.end() - 4, .size = 8}}) {
    for (const std::size_t before : {0, 8, 4090, 8192}) {
      VmMemory memory;
      std::vector<std::byte> copy(before + wrong.size);
      CHECK_FALSE(
          memory.read(std::array{Range{.address = bytes.data(), .size = before}, wrong}, copy));
      // A later read must not return the bytes that were left.
      CHECK_FALSE(memory.read<std::byte>(bytes.data()));
    }
  }
  VmMemory memory;
  CHECK(memory.read<std::uint32_t>(half.end() - 4) == 0U);
}

TEST_CASE("more than there is room for is an error") {
  VmMemory memory;
  const auto bytes = numbered(8);
  std::array<std::byte, 4> room{};
  CHECK_FALSE(memory.read(std::array{Range{.address = bytes.data(), .size = 8}}, room));
}

TEST_CASE("no file stays open") {
  const auto next = [] {
    const int file = dup(0);
    close(file);
    return file;
  };
  const int before = next();
  for (int round = 0; round < 3; ++round) {
    VmMemory memory;
    CHECK(memory.read<int>(address_of(&before)) == before);
  }
  CHECK(next() == before);
}

#endif

TEST_SUITE_END();

}  // namespace jvmdebug::tests
