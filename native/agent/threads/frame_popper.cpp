// SPDX-License-Identifier: Apache-2.0
#include "agent/threads/frame_popper.h"

#include <memory>
#include <vector>

#include "agent/scope.h"
#include "agent/threads/parking.h"
#include "agent/threads/stepper.h"

namespace jvmdebug::agent::threads {

Result<void> FramePopper::check_frames(jthread thread, jint depth) const {
  const jvm::Env& env = uses_.env;
  JVMDEBUG_ASSIGN(const auto count, env.get_frame_count(thread));
  if (depth + 1 >= count) {
    return fail(protocol::Error::kNoMoreFrames);
  }
  std::vector<jvmtiFrameInfo> frames(static_cast<std::size_t>(depth) + 2);
  JVMDEBUG_CHECK(env.get_stack_trace(thread, 0, frames));
  for (const jvmtiFrameInfo& frame : frames) {
    if (frame.location < 0) {
      return fail(protocol::Error::kOpaqueFrame);
    }
  }
  return {};
}

Result<TopFrame> FramePopper::top_frame(jthread thread) const {
  JVMDEBUG_ASSIGN(const jint frames, uses_.env.get_frame_count(thread));
  if (frames == 0) {
    return TopFrame{};
  }
  JVMDEBUG_ASSIGN(const auto location, uses_.env.get_frame_location(thread, 0));
  return TopFrame{.frames = frames, .method = location.method, .index = location.index};
}

Result<void> FramePopper::check_may_pop(const Tracked& thread) const {
  JVMDEBUG_ASSIGN(const auto top, top_frame(thread->thread));
  return uses_.parking.check_may_pop(thread, top);
}

void FramePopper::return_forced(const Tracked& thread) const {
  if (const auto top = top_frame(thread->thread)) {
    uses_.parking.return_forced(thread, *top);
  }
}

Result<void> FramePopper::check_may_pop(jthread thread) const {
  const auto tracked = uses_.registry.find(thread);
  return tracked ? check_may_pop(tracked) : fail(protocol::Error::kOpaqueFrame);
}

Result<void> FramePopper::pop(jthread thread, jint depth) {
  JVMDEBUG_CHECK(check_frames(thread, depth));
  return stepping(thread, [this, depth](const Tracked& tracked) {
    Result<void> outcome;
    for (jint popped = 0; outcome && popped <= depth; ++popped) {
      outcome = pop_one(tracked);
    }
    return outcome;
  });
}

Result<void> FramePopper::jump(jthread thread, Arrival target) {
  JVMDEBUG_CHECK(check_frames(thread, 0));
  return stepping(thread, [this, target](const Tracked& tracked) -> Result<void> {
    JVMDEBUG_CHECK(pop_one(tracked));
    tracked->jumps_to.store(std::make_shared<Arrival>(target));
    const AtExit arrived([&] { tracked->jumps_to.store(nullptr); });
    return uses_.parking.run_to_pop(tracked);
  });
}

Result<void> FramePopper::stepping(jthread thread,
                                   const std::function<Result<void>(const Tracked&)>& work) {
  const auto tracked = uses_.registry.find(thread);
  if (!tracked) {
    return fail(protocol::Error::kOpaqueFrame);  // a virtual thread that had no event
  }
  JVMDEBUG_CHECK(check_may_pop(tracked));
  const bool was_parked = uses_.parking.is_parked(tracked);
  tracked->step_to_pop = true;
  uses_.stepper.apply(tracked);
  const auto outcome = work(tracked);
  tracked->step_to_pop = false;
  uses_.stepper.apply(tracked);
  uses_.frame_ids.thread_resumed(thread);
  uses_.stepper.frames_popped(tracked);
  if (was_parked) {
    uses_.parking.was_reported(tracked);
  }
  return outcome;
}

Result<void> FramePopper::pop_one(const Tracked& thread) {
  const jvm::Env& env = uses_.env;
  JVMDEBUG_CHECK(env.pop_frame(thread->thread));
  if (env.has(jvm::Capability::kGenerateFramePopEvents)) {
    // Popping removes the frame's notification. If the VM is just sending that event, it looks for
    // the notification afterwards and aborts if it is missing. A surplus notification only reports
    // the end of the frame that takes its place.
    (void)env.notify_frame_pop(thread->thread, 0);
  }
  return uses_.parking.run_to_pop(thread);
}

void FramePopper::arrived(const jvm::Jni& jni, const Tracked& self) {
  self->last_reported = {};  // the instruction where it stood has not run
  Parking& parking = uses_.parking;
  const AtExit leave([&] { parking.leave(self); });
  parking.popped(self);
  parking.park(jni, self);
}

}  // namespace jvmdebug::agent::threads
