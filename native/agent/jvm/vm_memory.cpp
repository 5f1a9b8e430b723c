// SPDX-License-Identifier: Apache-2.0
#include "agent/jvm/vm_memory.h"

#include <algorithm>

namespace jvmdebug::agent::jvm {
namespace {

constexpr std::size_t kMostBytes = platform::MemoryReader::kMostBytes;
constexpr std::size_t kMostRanges = platform::MemoryReader::kMostRanges;

}  // namespace

// Reads in parts that the system takes at once.
bool VmMemory::read(std::span<const Range> from, std::span<std::byte> to) {
  std::vector<Range> part;
  std::size_t size = 0;
  const auto flush = [&] {
    const bool is_read =
        size == 0 || (reader_.is_open() && size <= to.size() && reader_.read(part, to.first(size)));
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
    reader_.close();
  }
  return is_read;
}

}  // namespace jvmdebug::agent::jvm
