// SPDX-License-Identifier: Apache-2.0
#include "agent/platform/files.h"

#include <array>
#include <vector>
#include <windows.h>
// This needs the one above.
#include <aclapi.h>

#include "agent/platform/windows/errors.h"
#include "agent/platform/windows/texts.h"

namespace jvmdebug::agent::platform {
namespace {

class OpenFile {
 public:
  explicit OpenFile(const std::string& file)
      : handle_(CreateFileW(wide(file).c_str(), GENERIC_READ | READ_CONTROL,
                            FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, nullptr,
                            OPEN_EXISTING, FILE_ATTRIBUTE_NORMAL, nullptr)) {}

  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;

  ~OpenFile() {
    if (is_open()) {
      (void)CloseHandle(handle_);
    }
  }

  [[nodiscard]] bool is_open() const { return handle_ != INVALID_HANDLE_VALUE; }

  [[nodiscard]] HANDLE get() const { return handle_; }

 private:
  HANDLE handle_;
};

std::unexpected<std::string> cannot_read() {
  return std::unexpected("it cannot be read: " + text_of_error(GetLastError()));
}

bool is_well_known(PSID user, WELL_KNOWN_SID_TYPE type) {
  return IsWellKnownSid(user, type) != 0;
}

// Whether a user may do everything on this machine anyway, or stands for the owner of the file.
bool is_no_other(PSID user, PSID owner) {
  return EqualSid(user, owner) != 0 || is_well_known(user, WinLocalSystemSid) ||
         is_well_known(user, WinBuiltinAdministratorsSid) ||
         is_well_known(user, WinCreatorOwnerSid) || is_well_known(user, WinCreatorOwnerRightsSid);
}

// Whether the list of who may use the file has another user; a file without a list is open to all.
bool is_open_to_others(HANDLE file) {
  PSID owner = nullptr;
  PACL list = nullptr;
  PSECURITY_DESCRIPTOR descriptor = nullptr;
  if (GetSecurityInfo(file, SE_FILE_OBJECT, OWNER_SECURITY_INFORMATION | DACL_SECURITY_INFORMATION,
                      &owner, nullptr, &list, nullptr, &descriptor) != ERROR_SUCCESS) {
    return true;
  }
  bool is_open = list == nullptr;
  for (DWORD index = 0; !is_open && index < list->AceCount; ++index) {
    void* entry = nullptr;
    if (GetAce(list, index, &entry) == 0) {
      is_open = true;
      break;
    }
    const auto& header = *static_cast<const ACE_HEADER*>(entry);
    if (header.AceType != ACCESS_DENIED_ACE_TYPE) {
      auto& allowed = *static_cast<ACCESS_ALLOWED_ACE*>(entry);
      is_open = header.AceType != ACCESS_ALLOWED_ACE_TYPE || !is_no_other(&allowed.SidStart, owner);
    }
  }
  (void)LocalFree(descriptor);
  return is_open;
}

}  // namespace

std::expected<std::string, std::string> read_private_file(const std::string& file,
                                                          std::size_t longest) {
  const OpenFile opened(file);
  if (!opened.is_open()) {
    return cannot_read();
  }
  if (GetFileType(opened.get()) != FILE_TYPE_DISK) {
    return std::unexpected("it is no regular file");
  }
  if (is_open_to_others(opened.get())) {
    return std::unexpected("others can read it; icacls \"" + file +
                           "\" /inheritance:r /grant:r %USERNAME%:F");
  }
  std::string text(longest + 1, '\0');
  std::size_t size = 0;
  while (size < text.size()) {
    DWORD got = 0;
    if (ReadFile(opened.get(), text.data() + size, static_cast<DWORD>(text.size() - size), &got,
                 nullptr) == 0) {
      return cannot_read();
    }
    if (got == 0) {
      break;
    }
    size += got;
  }
  text.resize(size);
  return text;
}

}  // namespace jvmdebug::agent::platform
