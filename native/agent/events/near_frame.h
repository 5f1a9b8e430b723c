// SPDX-License-Identifier: Apache-2.0
//
// The filter of our own modifier NearFrame: what happens in one frame and those right above it, so
// that a debugger hears of a call's return and of nothing inside the call. Used by filter.cpp.
#pragma once

#include <utility>

#include "agent/agent.h"
#include "agent/events/filter.h"

namespace jvmdebug::agent::events {

// Frames are counted from the bottom of the stack, so that the one that is meant keeps its number
// as long as it is there.
class NearFrameFilter : public Filter {
 public:
  NearFrameFilter(threads::Tracked thread, jint lowest, jint above)
      : thread_(std::move(thread)), lowest_(lowest), above_(above) {}

  bool passes(Match& match) override {
    if (match.thread() != thread_) {
      return false;
    }
    const auto count = match.agent().jvmti().get_frame_count(nullptr);
    return count && *count >= lowest_ && *count - lowest_ <= above_;
  }

 private:
  threads::Tracked thread_;
  jint lowest_;
  jint above_;
};

}  // namespace jvmdebug::agent::events
