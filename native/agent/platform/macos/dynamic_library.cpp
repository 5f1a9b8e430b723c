// SPDX-License-Identifier: Apache-2.0
#include "agent/platform/dynamic_library.h"

#include <dlfcn.h>
#include <mach-o/dyld.h>
#include <mach-o/loader.h>

namespace jvmdebug::agent::platform {

std::string library_name(std::string_view name) {
  return "lib" + std::string(name) + ".dylib";
}

// A library may go away while they are counted; then its name is null.
std::vector<std::string> loaded_libraries() {
  std::vector<std::string> names;
  for (std::uint32_t index = 0; index < _dyld_image_count(); ++index) {
    if (const char* const name = _dyld_get_image_name(index); name != nullptr) {
      names.emplace_back(name);
    }
  }
  return names;
}

// The segments of a library keep their distance from its header.
AddressRange library_part_with(const void* address) {
  Dl_info place{};
  if (dladdr(address, &place) == 0 || place.dli_fbase == nullptr) {
    return {};
  }
  const auto base = reinterpret_cast<std::uintptr_t>(place.dli_fbase);
  const auto wanted = reinterpret_cast<std::uintptr_t>(address);
  const auto& header = *static_cast<const mach_header_64*>(place.dli_fbase);
  const auto* command = reinterpret_cast<const load_command*>(&header + 1);
  std::uintptr_t header_at = 0;
  AddressRange found;
  for (std::uint32_t index = 0; index < header.ncmds; ++index) {
    if (command->cmd == LC_SEGMENT_64) {
      const auto& segment = *reinterpret_cast<const segment_command_64*>(command);
      if (segment.fileoff == 0 && segment.filesize != 0) {
        header_at = segment.vmaddr;
      }
      const std::uintptr_t begin = base + segment.vmaddr - header_at;
      if (wanted >= begin && wanted < begin + segment.vmsize) {
        found = {.begin = begin, .end = begin + segment.vmsize};
      }
    }
    command = reinterpret_cast<const load_command*>(reinterpret_cast<const char*>(command) +
                                                    command->cmdsize);
  }
  return found;
}

}  // namespace jvmdebug::agent::platform
