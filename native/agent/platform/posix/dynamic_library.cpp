// SPDX-License-Identifier: Apache-2.0
#include "agent/platform/dynamic_library.h"

#include <dlfcn.h>

namespace jvmdebug::agent::platform {

std::expected<void*, std::string> load_library(const std::string& path, Binding binding) {
  const int when = binding == Binding::kAtOnce ? RTLD_NOW : RTLD_LAZY;
  void* const library = dlopen(path.c_str(), when | RTLD_LOCAL);
  if (library == nullptr) {
    const char* const why = dlerror();
    return std::unexpected(why == nullptr ? "cannot load " + path : std::string(why));
  }
  return library;
}

void* function_of(void* library, const char* name) {
  return dlsym(library, name);
}

std::string library_with(const void* address) {
  Dl_info place{};
  return dladdr(address, &place) != 0 && place.dli_fname != nullptr ? place.dli_fname : "";
}

// A launcher may have loaded the library privately.
void* function_beside(const void* address, const char* name) {
  const std::string path = library_with(address);
  void* const library = path.empty() ? nullptr : dlopen(path.c_str(), RTLD_LAZY | RTLD_NOLOAD);
  if (library == nullptr) {
    return nullptr;
  }
  void* const found = dlsym(library, name);
  (void)dlclose(library);  // it was loaded before
  return found;
}

void* loaded_function(const std::string& name) {
  for (const std::string& path : loaded_libraries()) {
    void* const library = dlopen(path.empty() ? nullptr : path.c_str(), RTLD_LAZY | RTLD_NOLOAD);
    if (library != nullptr) {
      void* const found = dlsym(library, name.c_str());
      (void)dlclose(library);  // it was loaded before
      if (found != nullptr) {
        return found;
      }
    }
  }
  return nullptr;
}

}  // namespace jvmdebug::agent::platform
