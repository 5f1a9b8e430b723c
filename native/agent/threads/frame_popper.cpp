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

Result<void> FramePopper::pop(jthread thread, jint depth) {
  JVMDEBUG_CHECK(check_frames(thread, depth));
  const auto tracked = agent_.threads().find(thread);
  if (!tracked) {
    return fail(protocol::Error::kOpaqueFrame);  // a virtual thread that no event has shown
  }
  bool could_invoke = false;
  {
    const std::scoped_lock lock(agent_.threads().mutex());
    if (tracked->reporting) {
      return fail(protocol::Error::kOpaqueFrame);  // it runs only when its event has been told
    }
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
  // A step that was under way began in a frame that may be gone.
  agent_.stepper().begin_again(tracked);
  if (could_invoke) {
    agent_.threads().allow_invocations(tracked);
  }
  return outcome;
}

Result<void> FramePopper::pop_one(const Tracked& thread) {
  const jvm::Env& env = agent_.jvmti();
  JVMDEBUG_CHECK(env.pop_frame(thread->thread));
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
  {
    const std::scoped_lock lock(agent_.threads().mutex());
    self->leave_park = false;
    self->popped = true;
    self->changed.notify_all();
  }
  agent_.threads().park(jni, self);
}

}  // namespace jvmdebug::agent::threads
