// SPDX-License-Identifier: Apache-2.0
#include "agent/launch.h"

#include <algorithm>
#include <charconv>
#include <csignal>
#include <filesystem>
#include <memory>
#include <spawn.h>
#include <string_view>
#include <sys/types.h>
#include <system_error>
#include <unistd.h>
#include <vector>

namespace jvmdebug::agent {
namespace {

std::vector<std::string> words_of(std::string_view command) {
  constexpr std::string_view kBlanks = " \t";
  std::vector<std::string> words;
  for (auto begin = command.find_first_not_of(kBlanks); begin != std::string_view::npos;
       begin = command.find_first_not_of(kBlanks, begin)) {
    const auto end = std::min(command.find_first_of(kBlanks, begin), command.size());
    words.emplace_back(command.substr(begin, end - begin));
    begin = end;
  }
  return words;
}

struct FileActions {
  FileActions() { valid = posix_spawn_file_actions_init(&raw) == 0; }

  FileActions(const FileActions&) = delete;
  FileActions& operator=(const FileActions&) = delete;

  ~FileActions() {
    if (valid) {
      (void)posix_spawn_file_actions_destroy(&raw);
    }
  }

  posix_spawn_file_actions_t raw{};
  bool valid = false;
};

struct Attributes {
  Attributes() { valid = posix_spawnattr_init(&raw) == 0; }

  Attributes(const Attributes&) = delete;
  Attributes& operator=(const Attributes&) = delete;

  ~Attributes() {
    if (valid) {
      (void)posix_spawnattr_destroy(&raw);
    }
  }

  posix_spawnattr_t raw{};
  bool valid = false;
};

// Closes inherited descriptors in the debugger's process. A descriptor that is opened meanwhile is
// inherited unless it is close-on-exec, as the VM's own are.
void close_others(FileActions& actions) {
  std::error_code failure;
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd", failure)) {
    const std::string name = entry.path().filename();
    int descriptor = -1;
    (void)std::from_chars(name.data(), name.data() + name.size(), descriptor);
    if (descriptor > STDERR_FILENO) {
      (void)posix_spawn_file_actions_addclose(&actions.raw, descriptor);
    }
  }
}

}  // namespace

std::optional<std::string> launch_debugger(const std::string& command, std::string_view transport,
                                           const std::string& address) {
  std::vector<std::string> words = words_of(command);
  words.emplace_back(transport);
  words.push_back(address);
  std::vector<char*> arguments;
  arguments.reserve(words.size() + 1);
  for (std::string& word : words) {
    arguments.push_back(word.data());
  }
  arguments.push_back(nullptr);
  FileActions actions;
  Attributes attributes;
  if (!actions.valid || !attributes.valid) {
    return "out of memory";
  }
  close_others(actions);
  sigset_t none;
  (void)sigemptyset(&none);
  (void)posix_spawnattr_setsigmask(&attributes.raw, &none);
  (void)posix_spawnattr_setflags(&attributes.raw, POSIX_SPAWN_SETSIGMASK);
  pid_t child = 0;
  const int outcome = posix_spawnp(&child, arguments.front(), &actions.raw, &attributes.raw,
                                   arguments.data(), environ);
  if (outcome != 0) {
    return "cannot run launch=" + command + ": " + std::generic_category().message(outcome);
  }
  return std::nullopt;
}

}  // namespace jvmdebug::agent
