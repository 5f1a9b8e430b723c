// SPDX-License-Identifier: Apache-2.0
#include "agent/platform/memory_map.h"

#include <algorithm>
#include <sys/uio.h>
#include <unistd.h>
#include <vector>

#include "agent/platform/posix/sockets.h"

namespace jvmdebug::agent::platform {

// The ends do not block: what is written is read before more is written.
MemoryReader::MemoryReader() {
  if (!open_pipe(ends_)) {
    close();
  }
}

void MemoryReader::close() {
  for (int& end : ends_) {
    if (end != kNone) {
      (void)::close(end);
    }
    end = kNone;
  }
}

bool MemoryReader::read(std::span<const MemoryRange> from, std::span<std::byte> to) const {
  std::vector<iovec> ranges(from.size());
  std::ranges::transform(from, ranges.begin(), [](const MemoryRange& each) {
    return iovec{.iov_base = const_cast<std::byte*>(each.address), .iov_len = each.size};
  });
  const auto size = static_cast<ssize_t>(to.size());
  return writev(ends_[1], ranges.data(), static_cast<int>(from.size())) == size &&
         ::read(ends_[0], to.data(), to.size()) == size;
}

}  // namespace jvmdebug::agent::platform
