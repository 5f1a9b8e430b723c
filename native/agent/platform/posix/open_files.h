// SPDX-License-Identifier: Apache-2.0
//
// The folder in which the system lists the open files of this process by their numbers.
#pragma once

namespace jvmdebug::agent::platform {

#ifdef __linux__
inline constexpr const char* kOpenFiles = "/proc/self/fd";
#else
inline constexpr const char* kOpenFiles = "/dev/fd";
#endif

}  // namespace jvmdebug::agent::platform
