// SPDX-License-Identifier: Apache-2.0
#include "agent/platform/threads.h"

#include <array>
#include <cstdio>
#include <cstring>
#include <string>
#include <sys/syscall.h>
#include <unistd.h>

namespace jvmdebug::agent::platform {

ThreadNumber this_thread() {
  return static_cast<ThreadNumber>(syscall(SYS_gettid));
}

bool is_awake(ThreadNumber thread) {
  const std::string path = "/proc/self/task/" + std::to_string(thread) + "/stat";
  std::FILE* const file = std::fopen(path.c_str(), "re");
  if (file == nullptr) {
    return false;
  }
  std::array<char, 128> text{};  // number, name in parentheses, state
  const bool is_read = std::fgets(text.data(), static_cast<int>(text.size()), file) != nullptr;
  (void)std::fclose(file);
  const char* const name_end = is_read ? std::strrchr(text.data(), ')') : nullptr;
  return name_end != nullptr && std::strlen(name_end) > 2 &&
         (name_end[2] == 'R' || name_end[2] == 'D');
}

}  // namespace jvmdebug::agent::platform
