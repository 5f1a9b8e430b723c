// SPDX-License-Identifier: Apache-2.0
#include "agent/threads/frame_popper.h"

#include <vector>

#include "agent/agent.h"
#include "agent/ids/frame_ids.h"
#include "agent/scope.h"
#include "agent/threads/parking.h"
#include "agent/threads/stepper.h"

namespace jvmdebug::agent::threads {

Result<void> FramePopper::check_frames(jthread thread, jint depth) const {
  const jvm::Env& env = agent_.jvmti();
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
  JVMDEBUG_ASSIGN(const jint frames, agent_.jvmti().get_frame_count(thread));
  if (frames == 0) {
    return TopFrame{};
  }
  JVMDEBUG_ASSIGN(const auto location, agent_.jvmti().get_frame_location(thread, 0));
  return TopFrame{.frames = frames, .method = location.method, .index = location.index};
}

Result<void> FramePopper::check_may_pop(const Tracked& thread) const {
  JVMDEBUG_ASSIGN(const auto top, top_frame(thread->thread));
  return agent_.parking().check_may_pop(thread, top);
}

void FramePopper::return_forced(const Tracked& thread) const {
  if (const auto top = top_frame(thread->thread)) {
    agent_.parking().return_forced(thread, *top);
  }
}

Result<void> FramePopper::pop(jthread thread, jint depth) {
  JVMDEBUG_CHECK(check_frames(thread, depth));
  const auto tracked = agent_.threads().find(thread);
  if (!tracked) {
    return fail(protocol::Error::kOpaqueFrame);  // a virtual thread that had no event
  }
  JVMDEBUG_CHECK(check_may_pop(tracked));
  const bool was_parked = agent_.parking().is_parked(tracked);
  tracked->step_to_pop = true;
  agent_.stepper().apply(tracked);
  Result<void> outcome;
  for (jint popped = 0; outcome && popped <= depth; ++popped) {
    outcome = pop_one(tracked);
  }
  tracked->step_to_pop = false;
  agent_.stepper().apply(tracked);
  agent_.frame_ids().thread_resumed(thread);
  agent_.stepper().frames_popped(tracked);
  if (was_parked) {
    agent_.parking().was_reported(tracked);
  }
  return outcome;
}

Result<void> FramePopper::pop_one(const Tracked& thread) {
  const jvm::Env& env = agent_.jvmti();
  JVMDEBUG_CHECK(env.pop_frame(thread->thread));
  if (env.has(jvm::Capability::kGenerateFramePopEvents)) {
    // Popping removes the frame's notification. If the VM is just sending that event, it looks for
    // the notification afterwards and aborts if it is missing. A surplus notification only reports
    // the end of the frame that takes its place.
    (void)env.notify_frame_pop(thread->thread, 0);
  }
  return agent_.parking().run_to_pop(thread);
}

void FramePopper::arrived(const jvm::Jni& jni, const Tracked& self) {
  self->last_reported = {};  // the instruction where it stood has not run
  Parking& parking = agent_.parking();
  const AtExit leave([&] { parking.leave(self); });
  parking.popped(self);
  parking.park(jni, self);
}

}  // namespace jvmdebug::agent::threads
