// SPDX-License-Identifier: Apache-2.0
//
// The libraries that are loaded into this process, and loading one.
#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <vector>

namespace jvmdebug::agent::platform {

// `librun.so`, `librun.dylib` or `run.dll`.
[[nodiscard]] std::string library_name(std::string_view name);

// Separates the folders of a list, such as java.library.path.
#ifdef _WIN32
inline constexpr char kFolderSeparator = ';';
#else
inline constexpr char kFolderSeparator = ':';
#endif

enum class Binding : std::uint8_t { kAtOnce, kWhenCalled };

// Loads a library, which is never unloaded. The error is the system's text, which names the file.
[[nodiscard]] std::expected<void*, std::string> load_library(const std::string& path,
                                                             Binding binding);

// Null if the library has no function of that name.
[[nodiscard]] void* function_of(void* library, const char* name);

// The path of the library in which an address is; empty if it is in none.
[[nodiscard]] std::string library_with(const void* address);
// A function that the library in which an address is exports; null if it has none of that name.
[[nodiscard]] void* function_beside(const void* address, const char* name);

// The paths of all loaded libraries; an empty one stands for the program itself.
[[nodiscard]] std::vector<std::string> loaded_libraries();
// The first function of that name that one of them exports; null if there is none.
[[nodiscard]] void* loaded_function(const std::string& name);

struct AddressRange {
  std::uintptr_t begin = 0;
  std::uintptr_t end = 0;
};

// The part of its library in which an address is; 0 to 0 if it is in none.
[[nodiscard]] AddressRange library_part_with(const void* address);

}  // namespace jvmdebug::agent::platform
