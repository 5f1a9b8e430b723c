// SPDX-License-Identifier: Apache-2.0
#include "agent/platform/process.h"

#include <cerrno>
#include <charconv>
#include <csignal>
#include <ctime>
#include <fcntl.h>
#include <filesystem>
#include <spawn.h>
#include <sys/types.h>
#include <system_error>
#include <unistd.h>

#include "agent/platform/posix/open_files.h"

// Some systems declare it in no header.
extern "C" char** environ;  // NOLINT(readability-redundant-declaration)

namespace jvmdebug::agent::platform {
namespace {

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

// Closes inherited descriptors in the new process. A descriptor that is opened meanwhile is
// inherited unless it is close-on-exec, as the VM's own are.
void close_others(FileActions& actions) {
  std::error_code failure;
  for (const auto& entry : std::filesystem::directory_iterator(kOpenFiles, failure)) {
    const std::string name = entry.path().filename();
    int descriptor = -1;
    (void)std::from_chars(name.data(), name.data() + name.size(), descriptor);
    if (descriptor > STDERR_FILENO) {
      (void)posix_spawn_file_actions_addclose(&actions.raw, descriptor);
    }
  }
}

std::chrono::nanoseconds time_of(clockid_t clock) {
  timespec time{};
  (void)clock_gettime(clock, &time);  // both clocks exist
  return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

}  // namespace

std::int32_t process_id() {
  return getpid();
}

// Reads the file: std::random_device calls what old systems do not have.
bool fill_with_random(std::span<std::uint8_t> bytes) {
  const int source = open("/dev/urandom", O_RDONLY | O_CLOEXEC);
  bool is_filled = source >= 0;
  while (is_filled && !bytes.empty()) {
    const auto got = read(source, bytes.data(), bytes.size());
    if (got < 0 && errno == EINTR) {
      continue;
    }
    is_filled = got > 0;
    bytes = is_filled ? bytes.subspan(static_cast<std::size_t>(got)) : bytes;
  }
  if (source >= 0) {
    (void)close(source);
  }
  return is_filled;
}

std::chrono::nanoseconds cpu_time_of_process() {
  return time_of(CLOCK_PROCESS_CPUTIME_ID);
}

std::chrono::nanoseconds cpu_time_of_thread() {
  return time_of(CLOCK_THREAD_CPUTIME_ID);
}

std::optional<std::string> start_program(std::vector<std::string> arguments) {
  std::vector<char*> words;
  words.reserve(arguments.size() + 1);
  for (std::string& word : arguments) {
    words.push_back(word.data());
  }
  words.push_back(nullptr);
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
  const int outcome =
      posix_spawnp(&child, words.front(), &actions.raw, &attributes.raw, words.data(), environ);
  return outcome == 0 ? std::nullopt : std::optional(std::generic_category().message(outcome));
}

}  // namespace jvmdebug::agent::platform
