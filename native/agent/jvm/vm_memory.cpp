// SPDX-License-Identifier: Apache-2.0
#include "agent/jvm/vm_memory.h"

#include <algorithm>

#ifdef __linux__
#include <fcntl.h>
#include <sys/uio.h>
#include <unistd.h>
#endif

namespace jvmdebug::agent::jvm {

namespace {

// The number of bytes that any pipe takes at once.
constexpr std::size_t kMostBytes = 4096;
constexpr std::size_t kMostRanges = 512;

}  // namespace

#ifdef __linux__

// The ends do not block: what is written is read before more is written.
VmMemory::VmMemory() {
  if (pipe2(ends_.data(), O_CLOEXEC | O_NONBLOCK) != 0) {
    ends_.fill(kNone);
  }
}

void VmMemory::close() {
  for (int& end : ends_) {
    if (end != kNone) {
      ::close(end);
    }
    end = kNone;
  }
}

bool VmMemory::copy(std::span<const Range> from, std::span<std::byte> to) const {
  std::vector<iovec> ranges(from.size());
  std::ranges::transform(from, ranges.begin(), [](const Range& each) {
    return iovec{.iov_base = const_cast<std::byte*>(each.address), .iov_len = each.size};
  });
  const auto size = static_cast<ssize_t>(to.size());
  return writev(ends_[1], ranges.data(), static_cast<int>(from.size())) == size &&
         ::read(ends_[0], to.data(), to.size()) == size;
}

#else

VmMemory::VmMemory() = default;

void VmMemory::close() {}

bool VmMemory::copy(std::span<const Range> /*from*/, std::span<std::byte> /*to*/) const {
  return false;
}

#endif

VmMemory::~VmMemory() {
  close();
}

// Reads in parts that a pipe takes at once. After an error some bytes may be left in the pipe.
bool VmMemory::read(std::span<const Range> from, std::span<std::byte> to) {
  std::vector<Range> part;
  std::size_t size = 0;
  const auto flush = [&] {
    const bool is_read =
        size == 0 || (ends_[0] != kNone && size <= to.size() && copy(part, to.first(size)));
    to = is_read ? to.subspan(size) : to;
    part.clear();
    size = 0;
    return is_read;
  };
  bool is_read = true;
  for (Range each : from) {
    while (is_read && each.size > 0) {
      const std::size_t some = std::min(each.size, kMostBytes - size);
      part.push_back({.address = each.address, .size = some});
      size += some;
      each.address += some;
      each.size -= some;
      is_read = (size < kMostBytes && part.size() < kMostRanges) || flush();
    }
  }
  is_read = is_read && flush();
  if (!is_read) {
    close();
  }
  return is_read;
}

}  // namespace jvmdebug::agent::jvm
