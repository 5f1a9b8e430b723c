// SPDX-License-Identifier: Apache-2.0
//
// The filter of our own modifier NearFrame: passes what happens in one frame and those directly
// above it, so that a debugger is told of the return of a call and of nothing inside the call.
// Inside, methods may return millions of times, and the VM reports each return: is_far() rejects
// nearly all of them at little cost, and the request ends when its budget is used up, before the
// program becomes slow. Used by filter.cpp, and by the composer for method exits.
#pragma once

#include <atomic>
#include <limits>
#include <memory>
#include <optional>
#include <utility>

#include "agent/events/event_request.h"
#include "agent/events/filter.h"

namespace jvmdebug::agent::events {

// Frames are counted from the bottom of the stack, so that a frame keeps its number as long as it
// exists.
class NearFrame {
 public:
  // `method` is the frame's method, null if it has none.
  NearFrame(threads::Tracked thread, jmethodID method, jint lowest, jint above, jint budget)
      : thread_(std::move(thread)),
        method_(method),
        lowest_(lowest),
        above_(above),
        too_many_(above < std::numeric_limits<jint>::max() - lowest
                      ? lowest + above
                      : std::numeric_limits<jint>::max()),
        is_unlimited_(budget == 0),
        left_(budget) {}

  [[nodiscard]] const threads::Tracked& thread() const { return thread_; }

  // Whether the topmost frame of the current thread, which is the request's thread, is near.
  [[nodiscard]] bool covers_topmost(const jvm::Env& env) const {
    const auto count = env.get_frame_count(nullptr);
    return count && *count >= lowest_ && *count - lowest_ <= above_;
  }

  // Whether `method`, which the current thread leaves, is certainly not near. Decided by the
  // methods or, if they do not decide, by whether there is one frame more than allowed. Looking for
  // that frame costs time proportional to its distance; counting all frames costs much more in a
  // deep recursion. Deducts the cost from the budget.
  [[nodiscard]] bool is_far(const jvm::Env& env, jmethodID method) {
    jlong cost = 1;
    bool far = is_far_by_methods(env, method);
    if (!far) {
      far = env.get_frame_location(nullptr, too_many_).has_value();
      cost += too_many_ / kFramesPerUnit;
    }
    if (far) {
      left_ -= cost;
    }
    return far;
  }

  [[nodiscard]] bool is_exhausted() const { return !is_unlimited_ && left_ < 0; }

 private:
  // The number of frames that can be walked in the time that the rest of a method exit takes.
  static constexpr jint kFramesPerUnit = 16;

  // A near exit leaves the frame's own method or returns to it.
  [[nodiscard]] bool is_far_by_methods(const jvm::Env& env, jmethodID method) const {
    if (method_ == nullptr || method == method_ || above_ > 1) {
      return false;
    }
    if (above_ == 0) {
      return true;
    }
    const auto caller = env.get_frame_location(nullptr, 1);
    return caller && caller->method != method_;
  }

  const threads::Tracked thread_;
  const jmethodID method_;
  const jint lowest_;
  const jint above_;
  const jint too_many_;  // depth of a frame that exists only if the topmost is far
  const bool is_unlimited_;
  std::atomic<jlong> left_;
};

// Returns the frame if the calls made in it are near as well, else nothing.
[[nodiscard]] inline std::optional<StandingFrame> frame_with_calls(
    const jvm::Result<jvm::FrameLocation>& topmost, jint count, jint above) {
  if (above != 1 || !topmost) {
    return std::nullopt;
  }
  return StandingFrame{.method = topmost->method, .count = count, .index = topmost->index};
}

class NearFrameFilter : public Filter {
 public:
  explicit NearFrameFilter(std::shared_ptr<const NearFrame> near) : near_(std::move(near)) {}

  bool passes(Match& match) override {
    return match.thread() == near_->thread() && near_->covers_topmost(match.env());
  }

 private:
  std::shared_ptr<const NearFrame> near_;
};

}  // namespace jvmdebug::agent::events
