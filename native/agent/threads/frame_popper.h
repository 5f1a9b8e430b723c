// SPDX-License-Identifier: Apache-2.0
//
// Pops frames. JVM TI pops one frame each time the thread runs, so between two pops the thread runs
// to its next instruction, which is the call again, and is suspended there. Its suspend count does
// not change, and other threads are not touched. Also checks whether the topmost frame may be
// popped, for the command that forces a return.
#pragma once

#include <functional>

#include <jvmti.h>

#include "agent/ids/frame_ids.h"
#include "agent/jvm/env.h"
#include "agent/threads/tracked_thread.h"
#include "codec/result.h"

namespace jvmdebug::agent::threads {

class Parking;
class Stepper;
class ThreadRegistry;

class FramePopper {
 public:
  struct Uses {
    const jvm::Env& env;
    ThreadRegistry& registry;
    Parking& parking;
    Stepper& stepper;
    ids::FrameIds& frame_ids;
  };

  explicit FramePopper(const Uses& uses) : uses_(uses) {}

  // Pops the frames from the topmost to the one at `depth`. The thread is suspended. Nothing is
  // popped when one of them, or the one that becomes the topmost, is native: OPAQUE_FRAME.
  Result<void> pop(jthread thread, jint depth);

  // Pops the topmost frame, and runs the thread to an instruction of the method that it calls
  // again. Nothing on the way is reported. INTERNAL if it does not come there.
  Result<void> jump(jthread thread, Arrival target);

  // Checks that these frames and their caller are no native ones: NO_MORE_FRAMES, OPAQUE_FRAME.
  [[nodiscard]] Result<void> check_frames(jthread thread, jint depth) const;
  // Checks that the topmost frame of a suspended thread is what runs next; else OPAQUE_FRAME.
  [[nodiscard]] Result<void> check_may_pop(const Tracked& thread) const;
  [[nodiscard]] Result<void> check_may_pop(jthread thread) const;
  // Notes that the topmost frame will return when the thread runs.
  void return_forced(const Tracked& thread) const;
  [[nodiscard]] Result<TopFrame> top_frame(jthread thread) const;

  // Called on the thread itself at the instruction after a pop, or at the target of a jump. Returns
  // when the debugger has resumed it.
  void arrived(const jvm::Jni& jni, const Tracked& self);

 private:
  // Runs a thread with single steps while `work` pops its frames.
  Result<void> stepping(jthread thread, const std::function<Result<void>(const Tracked&)>& work);
  [[nodiscard]] Result<void> pop_one(const Tracked& thread);

  const Uses uses_;
};

}  // namespace jvmdebug::agent::threads
