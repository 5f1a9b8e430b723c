// SPDX-License-Identifier: Apache-2.0
#include "agent/events/callback_guard.h"

#include <thread>

namespace jvmdebug::agent::events {

std::atomic<bool>& CallbackPresence::counting() noexcept {
  static std::atomic<bool> counting = false;
  return counting;
}

std::atomic<int>& CallbackPresence::running() noexcept {
  static std::atomic<int> running = 0;
  return running;
}

bool CallbackPresence::wait_for_none(std::chrono::milliseconds limit) {
  constexpr auto kPause = std::chrono::milliseconds{1};
  const auto until = std::chrono::steady_clock::now() + limit;
  while (running() > 0) {
    if (std::chrono::steady_clock::now() > until) {
      return false;
    }
    std::this_thread::sleep_for(kPause);
  }
  return true;
}

}  // namespace jvmdebug::agent::events
