// SPDX-License-Identifier: Apache-2.0
#include "agent/platform/memory_map.h"

#include <windows.h>

namespace jvmdebug::agent::platform {

// ReadProcessMemory() needs nothing that would have to be opened.
MemoryReader::MemoryReader() : ends_{0, 0} {}

void MemoryReader::close() {
  ends_.fill(kNone);
}

bool MemoryReader::read(std::span<const MemoryRange> from, std::span<std::byte> to) const {
  for (const MemoryRange& each : from) {
    SIZE_T read = 0;
    if (each.size > to.size() ||
        ReadProcessMemory(GetCurrentProcess(), each.address, to.data(), each.size, &read) == 0 ||
        read != each.size) {
      return false;
    }
    to = to.subspan(each.size);
  }
  return to.empty();
}

}  // namespace jvmdebug::agent::platform
