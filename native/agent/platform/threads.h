// SPDX-License-Identifier: Apache-2.0
//
// Threads of this process as the system numbers them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace jvmdebug::agent::platform {

using ThreadNumber = std::uint32_t;

// Never 0.
[[nodiscard]] ThreadNumber this_thread();

// Whether the system reports the thread as running, ready to run, or waiting for a page of memory;
// false for one that has ended.
[[nodiscard]] bool is_awake(ThreadNumber thread);

}  // namespace jvmdebug::agent::platform
