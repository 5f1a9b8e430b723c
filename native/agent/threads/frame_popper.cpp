// SPDX-License-Identifier: Apache-2.0
#include "agent/threads/frame_popper.h"

#include <chrono>
#include <vector>

#include "agent/agent.h"
#include "agent/ids/frame_ids.h"
#include "agent/threads/stepper.h"

namespace jvmdebug::agent::threads {
namespace {

// The thread has nothing to do but to leave our callback and come to the next instruction.
constexpr auto kArrivalTimeout = std::chrono::seconds{5};

}  // namespace

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

Result<Standing> FramePopper::standing(jthread thread) const {
  JVMDEBUG_ASSIGN(const jint frames, agent_.jvmti().get_frame_count(thread));
  if (frames == 0) {
    return Standing{};
  }
  JVMDEBUG_ASSIGN(const auto location, agent_.jvmti().get_frame_location(thread, 0));
  return Standing{.frames = frames, .method = location.method, .index = location.index};
}

Result<void> FramePopper::check_may_go(const Tracked& thread) const {
  JVMDEBUG_ASSIGN(const auto here, standing(thread->thread));
  const std::scoped_lock lock(agent_.threads().mutex());
  // It runs only when its event has been told, when it has run a method for the debugger, or when
  // it has returned as it was made to: the VM would do it to a frame that comes then.
  const bool invokes = thread->next_invocation != nullptr ||
                       (thread->invocations > 0 && here.frames <= thread->frames_below);
  if (thread->reporting || invokes || thread->returns_from == here) {
    return fail(protocol::Error::kOpaqueFrame);
  }
  return {};
}

void FramePopper::will_return(const Tracked& thread) const {
  const auto here = standing(thread->thread);
  const std::scoped_lock lock(agent_.threads().mutex());
  if (here) {
    thread->returns_from = *here;
  }
}

Result<void> FramePopper::pop(jthread thread, jint depth) {
  JVMDEBUG_CHECK(check_frames(thread, depth));
  const auto tracked = agent_.threads().find(thread);
  if (!tracked) {
    return fail(protocol::Error::kOpaqueFrame);  // a virtual thread that no event has shown
  }
  JVMDEBUG_CHECK(check_may_go(tracked));
  bool could_invoke = false;
  {
    const std::scoped_lock lock(agent_.threads().mutex());
    could_invoke = tracked->may_invoke;
  }
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
  if (could_invoke) {
    agent_.threads().allow_invocations(tracked);
  }
  return outcome;
}

Result<void> FramePopper::pop_one(const Tracked& thread) {
  const jvm::Env& env = agent_.jvmti();
  JVMDEBUG_CHECK(env.pop_frame(thread->thread));
  if (env.has(jvm::Capability::kGenerateFramePopEvents)) {
    // The VM has forgotten that the end of this frame was to be told. If it is telling it right
    // now, it looks for that note afterwards, and ends when there is none. A note too many only
    // tells of the end of the frame that comes in its place.
    (void)env.notify_frame_pop(thread->thread, 0);
  }
  std::unique_lock lock(agent_.threads().mutex());
  thread->popped = false;
  thread->leave_park = true;
  thread->changed.notify_all();
  JVMDEBUG_CHECK(env.resume_thread(thread->thread));
  const bool arrived =
      thread->changed.wait_for(lock, kArrivalTimeout, [&] { return thread->popped; });
  // Suspended again in any case: the debugger did not resume it.
  const auto suspended = env.suspend_thread(thread->thread);
  if (!arrived) {
    return fail(protocol::Error::kInternal);
  }
  if (!suspended) {
    return std::unexpected(suspended.error());
  }
  return {};
}

void FramePopper::arrived(const jvm::Jni& jni, const Tracked& self) {
  self->last_reported = {};  // the instruction where it stood has not run
  {
    const std::scoped_lock lock(agent_.threads().mutex());
    self->leave_park = false;
    self->popped = true;
    self->changed.notify_all();
  }
  agent_.threads().park(jni, self);
}

}  // namespace jvmdebug::agent::threads
