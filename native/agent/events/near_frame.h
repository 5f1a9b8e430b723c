// SPDX-License-Identifier: Apache-2.0
//
// The filter of our own modifier NearFrame: what happens in one frame and those right above it, so
// that a debugger is told of the return of a call and of nothing inside it. Methods return there by
// the million, and the VM reports each: is_far() rejects nearly all of them at little cost, and
// the budget of the request ends it before the program becomes slow. Used by filter.cpp, and by
// the composer for method exits.
#pragma once

#include <atomic>
#include <limits>
#include <memory>
#include <optional>
#include <utility>

#include "agent/agent.h"
#include "agent/events/event_request.h"
#include "agent/events/filter.h"

namespace jvmdebug::agent::events {

// Frames are counted from the bottom of the stack, so that the one that is meant keeps its number
// as long as it is there.
class NearFrame {
 public:
  // `method` is that of the frame, null where it has none.
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

  // Whether the topmost frame of the current thread, which is the request's, is near.
  [[nodiscard]] bool covers_topmost(const jvm::Env& env) const {
    const auto count = env.get_frame_count(nullptr);
    return count && *count >= lowest_ && *count - lowest_ <= above_;
  }

  // Whether `method`, which the current thread leaves, is surely not near: by the methods, and if
  // those do not decide, by whether there is one frame more than allowed. Looking for that frame
  // costs as much as its distance; counting all frames costs much more in a deep recursion. Deducts
  // the cost from the budget.
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
  // Number of frames that are walked in the time that the rest of a method exit takes.
  static constexpr jint kFramesPerUnit = 16;

  // A near one is left by the frame's own method, or comes back to it.
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
  const jint too_many_;  // depth of a frame that is there only if the topmost is far
  const bool is_unlimited_;
  std::atomic<jlong> left_;
};

// A frame of which the calls made in it are near as well; none if it is another modifier.
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
    return match.thread() == near_->thread() && near_->covers_topmost(match.agent().jvmti());
  }

 private:
  std::shared_ptr<const NearFrame> near_;
};

}  // namespace jvmdebug::agent::events
