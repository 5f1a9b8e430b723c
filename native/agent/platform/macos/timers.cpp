// SPDX-License-Identifier: Apache-2.0
#include "agent/platform/timers.h"

namespace jvmdebug::agent::platform {

std::string_view why_no_thread_timers() {
  return "macOS has no timers on the CPU time of one thread";
}

std::vector<ThreadNumber> all_threads() {
  return {};
}

std::string name_of_thread(ThreadNumber /*thread*/) {
  return {};
}

bool install_timer_handler(OnTimer /*on_timer*/) {
  return false;
}

std::unique_ptr<ThreadTimer> ThreadTimer::start(ThreadNumber /*thread*/,
                                                std::chrono::microseconds /*interval*/) {
  return nullptr;
}

}  // namespace jvmdebug::agent::platform
