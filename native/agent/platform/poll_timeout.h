// SPDX-License-Identifier: Apache-2.0
//
// Used by the implementations of net.h only.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <optional>

namespace jvmdebug::agent::platform {

// A time as poll() and WSAPoll() take it: milliseconds, -1 for no limit.
inline int poll_timeout(std::optional<std::chrono::milliseconds> timeout) {
  constexpr std::int64_t kLongest = 1'000'000;
  return timeout ? static_cast<int>(std::clamp<std::int64_t>(timeout->count(), 0, kLongest)) : -1;
}

}  // namespace jvmdebug::agent::platform
