// SPDX-License-Identifier: Apache-2.0
//
// Reads memory of this process at addresses that may be wrong: a bad address gives an error, not a
// crash.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace jvmdebug::agent::platform {

struct MemoryRange {
  const std::byte* address;
  std::size_t size;
};

// Has the system copy the memory. On Linux and macOS the kernel does it: it writes the bytes into a
// pipe, and fails (EFAULT) where there are none. This uses only system calls that every filter must
// allow for a VM to run; process_vm_readv, which is made for this purpose, is forbidden by filters
// in some containers, which kill the process. Windows has a function for it. One thread at a time.
class MemoryReader {
 public:
  // The most bytes and ranges of one read.
  static constexpr std::size_t kMostBytes = 4096;
  static constexpr std::size_t kMostRanges = 512;

  MemoryReader();
  MemoryReader(const MemoryReader&) = delete;
  MemoryReader& operator=(const MemoryReader&) = delete;
  MemoryReader(MemoryReader&&) = delete;
  MemoryReader& operator=(MemoryReader&&) = delete;

  ~MemoryReader() { close(); }

  [[nodiscard]] bool is_open() const { return ends_[0] != kNone; }

  // Reads all ranges, one behind the other; `to` has their size. After an error nothing more can be
  // read: some bytes may be left in the pipe.
  [[nodiscard]] bool read(std::span<const MemoryRange> from, std::span<std::byte> to) const;

  void close();

 private:
  static constexpr int kNone = -1;
  std::array<int, 2> ends_{kNone, kNone};  // to read from, to write to
};

}  // namespace jvmdebug::agent::platform
