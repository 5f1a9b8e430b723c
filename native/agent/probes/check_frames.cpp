// SPDX-License-Identifier: Apache-2.0
#include "agent/probes/check_frames.h"

#include <algorithm>
#include <array>
#include <span>

#include "agent/code/code_versions.h"
#include "agent/code/thread_stacks.h"
#include "agent/threads/thread_registry.h"

namespace jvmdebug::agent::probes {

using threads::Tracked;

bool CheckFrames::is_in_check(jmethodID method) const {
  const Tracked self = threads_.current();
  if (self && self->is_arriving && method != self->arrives_in) {
    // It steps through the checks of other probes at the same instruction. Reading its stack at
    // each step would take long.
    constexpr unsigned kLookEvery = 64;  // in case an exception has led it out of the checks
    if (++self->seen_on_the_way % kLookEvery != 0) {
      return true;
    }
  }
  return is_below(0);
}

bool CheckFrames::is_in_check() const {
  return is_below(0);
}

bool CheckFrames::is_below(std::size_t depth) const {
  constexpr std::size_t kAtOnce = 64;
  if (!versions_.is_on() || (!checks_call_ && !stops_in_check_)) {
    return false;
  }
  std::array<jvmtiFrameInfo, kAtOnce> frames{};
  for (std::size_t start = depth;; start += kAtOnce) {
    const auto count =
        env_.get_actual_stack_trace(nullptr, static_cast<jint>(start), frames).value_or(0);
    const auto found = std::span(frames).first(static_cast<std::size_t>(count));
    if (std::ranges::any_of(found, [&](const jvmtiFrameInfo& frame) {
          return versions_.method(frame.method)->is_hidden;
        })) {
      return true;
    }
    if (found.size() < kAtOnce) {
      return false;
    }
  }
}

bool CheckFrames::has_check(const Tracked& thread) const {
  return std::ranges::any_of(
      code::actual_frames(env_, thread->thread),
      [&](const jvmtiFrameInfo& frame) { return versions_.method(frame.method)->is_hidden; });
}

}  // namespace jvmdebug::agent::probes
