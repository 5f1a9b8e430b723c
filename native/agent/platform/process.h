// SPDX-License-Identifier: Apache-2.0
//
// This process: its number, random bytes of the system, CPU time, and starting another process.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace jvmdebug::agent::platform {

[[nodiscard]] std::int32_t process_id();

// Fills the bytes with random ones that cannot be guessed; false if the system gives none.
[[nodiscard]] bool fill_with_random(std::span<std::uint8_t> bytes);

// The CPU time that all threads of the process, or the calling one, have used.
[[nodiscard]] std::chrono::nanoseconds cpu_time_of_process();
[[nodiscard]] std::chrono::nanoseconds cpu_time_of_thread();

// Starts a program with these arguments, of which the first is its name, looked up as a shell does.
// It inherits the three standard streams and nothing else. Nothing waits for its end. Returns why
// it did not start; empty when it did.
[[nodiscard]] std::optional<std::string> start_program(std::vector<std::string> arguments);

}  // namespace jvmdebug::agent::platform
