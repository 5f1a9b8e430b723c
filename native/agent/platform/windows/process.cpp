// SPDX-License-Identifier: Apache-2.0
#include "agent/platform/process.h"

#include <windows.h>
// This needs the one above.
#include <ntsecapi.h>

namespace jvmdebug::agent::platform {
namespace {

// A FILETIME has units of 100 ns.
std::chrono::nanoseconds time_of(const FILETIME& time) {
  constexpr std::int64_t kUnit = 100;
  constexpr unsigned kHalf = 32;
  return std::chrono::nanoseconds(
      kUnit * static_cast<std::int64_t>((std::uint64_t{time.dwHighDateTime} << kHalf) |
                                        time.dwLowDateTime));
}

}  // namespace

std::int32_t process_id() {
  return static_cast<std::int32_t>(GetCurrentProcessId());
}

bool fill_with_random(std::span<std::uint8_t> bytes) {
  return RtlGenRandom(bytes.data(), static_cast<ULONG>(bytes.size())) != 0;
}

std::chrono::nanoseconds cpu_time_of_process() {
  FILETIME created{};
  FILETIME ended{};
  FILETIME kernel{};
  FILETIME user{};
  (void)GetProcessTimes(GetCurrentProcess(), &created, &ended, &kernel, &user);
  return time_of(kernel) + time_of(user);
}

std::chrono::nanoseconds cpu_time_of_thread() {
  FILETIME created{};
  FILETIME ended{};
  FILETIME kernel{};
  FILETIME user{};
  (void)GetThreadTimes(GetCurrentThread(), &created, &ended, &kernel, &user);
  return time_of(kernel) + time_of(user);
}

// Windows has one command line for all arguments, which each program takes apart in its own way.
std::optional<std::string> start_program(std::vector<std::string> /*arguments*/) {
  return "launch= is not there on Windows; start the debugger yourself, it can wait for the "
         "program";
}

}  // namespace jvmdebug::agent::platform
