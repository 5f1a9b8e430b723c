// SPDX-License-Identifier: Apache-2.0
//
// Pops frames. JVM TI pops one frame each time the thread runs, so between two pops the thread runs
// to its next instruction, which is the call again, and is suspended there. Its suspend count does
// not change, and other threads are not touched. Also checks whether the topmost frame may be
// popped, for the command that forces a return.
#pragma once

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

  // Checks that the topmost frame of a suspended thread is what runs next; else OPAQUE_FRAME.
  [[nodiscard]] Result<void> check_may_pop(const Tracked& thread) const;
  // Notes that the topmost frame will return when the thread runs.
  void return_forced(const Tracked& thread) const;
  [[nodiscard]] Result<TopFrame> top_frame(jthread thread) const;

  // Called on the thread itself at the instruction after a pop. Returns when the debugger has
  // resumed it.
  void arrived(const jvm::Jni& jni, const Tracked& self);

 private:
  [[nodiscard]] Result<void> check_frames(jthread thread, jint depth) const;
  [[nodiscard]] Result<void> pop_one(const Tracked& thread);

  const Uses uses_;
};

}  // namespace jvmdebug::agent::threads
