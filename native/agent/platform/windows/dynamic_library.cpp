// SPDX-License-Identifier: Apache-2.0
#include "agent/platform/dynamic_library.h"

#include <windows.h>
// This needs the one above.
#include <tlhelp32.h>

#include "agent/platform/windows/errors.h"
#include "agent/platform/windows/texts.h"

namespace jvmdebug::agent::platform {
namespace {

HMODULE module_with(const void* address) {
  HMODULE found = nullptr;
  (void)GetModuleHandleExW(
      GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS | GET_MODULE_HANDLE_EX_FLAG_UNCHANGED_REFCOUNT,
      static_cast<LPCWSTR>(address), &found);
  return found;
}

std::string path_of(HMODULE module) {
  constexpr DWORD kLongest = 32768;
  std::wstring path(kLongest, L'\0');
  path.resize(GetModuleFileNameW(module, path.data(), kLongest));
  return narrow(path);
}

// Calls `use` with each loaded library until it returns true.
template <class Use>
void each_module(Use use) {
  HANDLE const all = CreateToolhelp32Snapshot(TH32CS_SNAPMODULE, 0);
  if (all == INVALID_HANDLE_VALUE) {
    return;
  }
  MODULEENTRY32W entry{};
  entry.dwSize = sizeof entry;
  for (BOOL more = Module32FirstW(all, &entry); more != 0; more = Module32NextW(all, &entry)) {
    if (use(entry)) {
      break;
    }
  }
  (void)CloseHandle(all);
}

}  // namespace

std::string library_name(std::string_view name) {
  return std::string(name) + ".dll";
}

std::expected<void*, std::string> load_library(const std::string& path, Binding /*binding*/) {
  HMODULE const loaded = LoadLibraryW(wide(path).c_str());
  if (loaded == nullptr) {
    return std::unexpected(path + ": " + text_of_error(GetLastError()));
  }
  return reinterpret_cast<void*>(loaded);
}

void* function_of(void* library, const char* name) {
  return reinterpret_cast<void*>(GetProcAddress(static_cast<HMODULE>(library), name));
}

std::string library_with(const void* address) {
  HMODULE const module = module_with(address);
  return module == nullptr ? std::string() : path_of(module);
}

void* function_beside(const void* address, const char* name) {
  HMODULE const module = module_with(address);
  return module == nullptr ? nullptr : function_of(module, name);
}

std::vector<std::string> loaded_libraries() {
  std::vector<std::string> paths;
  each_module([&](const MODULEENTRY32W& entry) {
    paths.push_back(narrow(entry.szExePath));
    return false;
  });
  return paths;
}

void* loaded_function(const std::string& name) {
  void* found = nullptr;
  each_module([&](const MODULEENTRY32W& entry) {
    found = function_of(entry.hModule, name.c_str());
    return found != nullptr;
  });
  return found;
}

AddressRange library_part_with(const void* address) {
  const auto wanted = reinterpret_cast<std::uintptr_t>(address);
  AddressRange found;
  each_module([&](const MODULEENTRY32W& entry) {
    const auto begin = reinterpret_cast<std::uintptr_t>(entry.modBaseAddr);
    if (wanted >= begin && wanted < begin + entry.modBaseSize) {
      found = {.begin = begin, .end = begin + entry.modBaseSize};
    }
    return found.end != 0;
  });
  return found;
}

}  // namespace jvmdebug::agent::platform
