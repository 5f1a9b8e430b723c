// SPDX-License-Identifier: Apache-2.0
#include "agent/platform/windows/texts.h"

#include <array>
#include <windows.h>

#include "agent/platform/windows/errors.h"

namespace jvmdebug::agent::platform {

// What the command line of a VM brings is in the code page of the system.
std::wstring wide(std::string_view text) {
  const int size = static_cast<int>(text.size());
  UINT from = CP_UTF8;
  int needed = MultiByteToWideChar(from, MB_ERR_INVALID_CHARS, text.data(), size, nullptr, 0);
  if (needed == 0 && size > 0) {
    from = CP_ACP;
    needed = MultiByteToWideChar(from, 0, text.data(), size, nullptr, 0);
  }
  std::wstring converted(static_cast<std::size_t>(needed), L'\0');
  (void)MultiByteToWideChar(from, 0, text.data(), size, converted.data(), needed);
  return converted;
}

std::string narrow(std::wstring_view text) {
  const int size = static_cast<int>(text.size());
  const int needed =
      WideCharToMultiByte(CP_UTF8, 0, text.data(), size, nullptr, 0, nullptr, nullptr);
  std::string converted(static_cast<std::size_t>(needed), '\0');
  (void)WideCharToMultiByte(CP_UTF8, 0, text.data(), size, converted.data(), needed, nullptr,
                            nullptr);
  return converted;
}

std::string text_of_error(unsigned long error) {
  constexpr DWORD kHow =
      FORMAT_MESSAGE_FROM_SYSTEM | FORMAT_MESSAGE_IGNORE_INSERTS | FORMAT_MESSAGE_MAX_WIDTH_MASK;
  std::array<wchar_t, 512> text{};
  const DWORD size = FormatMessageW(kHow, nullptr, error, 0, text.data(),
                                    static_cast<DWORD>(text.size()), nullptr);
  std::string message = narrow(std::wstring_view(text.data(), size));
  message.resize(message.find_last_not_of(" .\r\n") + 1);  // npos + 1 is 0
  return message.empty() ? "error " + std::to_string(error) : message;
}

}  // namespace jvmdebug::agent::platform
