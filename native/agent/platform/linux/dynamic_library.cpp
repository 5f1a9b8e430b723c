// SPDX-License-Identifier: Apache-2.0
#include "agent/platform/dynamic_library.h"

#include <link.h>
#include <span>

namespace jvmdebug::agent::platform {

std::string library_name(std::string_view name) {
  return "lib" + std::string(name) + ".so";
}

std::vector<std::string> loaded_libraries() {
  std::vector<std::string> names;
  const auto add = [](dl_phdr_info* info, std::size_t /*size*/, void* context) {
    const char* const name = info->dlpi_name == nullptr ? "" : info->dlpi_name;
    static_cast<std::vector<std::string>*>(context)->emplace_back(name);
    return 0;
  };
  (void)dl_iterate_phdr(add, &names);
  return names;
}

AddressRange library_part_with(const void* address) {
  struct Search {
    std::uintptr_t wanted = 0;
    AddressRange found;
  } search{.wanted = reinterpret_cast<std::uintptr_t>(address), .found = {}};

  const auto look = [](dl_phdr_info* info, std::size_t /*size*/, void* context) {
    auto& current = *static_cast<Search*>(context);
    for (const auto& segment : std::span(info->dlpi_phdr, info->dlpi_phnum)) {
      const std::uintptr_t begin = info->dlpi_addr + segment.p_vaddr;
      if (segment.p_type == PT_LOAD && current.wanted >= begin &&
          current.wanted < begin + segment.p_memsz) {
        current.found = {.begin = begin, .end = begin + segment.p_memsz};
        return 1;
      }
    }
    return 0;
  };
  (void)dl_iterate_phdr(look, &search);
  return search.found;
}

}  // namespace jvmdebug::agent::platform
