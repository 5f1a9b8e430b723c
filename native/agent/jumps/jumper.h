// SPDX-License-Identifier: Apache-2.0
//
// Theory of operation: a suspended thread goes on at another instruction of its topmost method.
//
// No function of JVM TI moves a thread, and a frame keeps the code that it began with. So the frame
// is popped and the method entered again, in code that begins with a jump:
//
//     check        that the frame can be popped and the method changed
//     put in       the code of the jump into the method (JumpCalls), unless it is there
//     hand over    the values of the local variables, to JvmdebugProbeJumps
//     pop          the frame; the thread is at the call again (threads::FramePopper)
//     run          the thread to the target: it enters the method, restores its variables, jumps.
//                  Nothing that happens on this way is an event of the program.
//
// The thread is suspended before and after, with the same suspend count, and no other thread is
// touched. The call that is made again has its arguments on the operand stack of the caller, as the
// popped frame has left them, so nothing of the caller runs twice. The VM selects the method again,
// by the same receiver.
//
// The caller must have checked what a class file shows: that the operand stack is empty at both
// ends, and which variables the target expects.
//
// The frame that is left and the frame that takes its place run different versions of the method.
// Other frames of the method stay in the version before; if hits in them would be lost, the jump is
// refused.
//
// Threads: agent threads, one at a time.
#pragma once

#include <cstdint>
#include <vector>

#include <jvmti.h>

#include "agent/code/code_changes.h"
#include "agent/code/outcome.h"
#include "agent/jumps/jump_calls.h"
#include "agent/jumps/jump_code.h"
#include "agent/jvm/env.h"
#include "agent/jvm/jni.h"

namespace jvmdebug::agent::threads {
class FramePopper;
}

namespace jvmdebug::agent::jumps {

// What the variables of a jump hold, in its order.
struct JumpValues {
  std::vector<jvm::LocalRef<jobject>> objects;  // null for other values
  std::vector<jlong> bits;
};

class Jumper {
 public:
  struct Uses {
    const jvm::Env& env;
    code::CodeChanges& changes;
    code::CodeVersions& versions;
    const probes::ChangeLimits& limits;
    events::Breakpoints& breakpoints;
    const probes::OldFrames& old_frames;
    threads::FramePopper& frame_popper;
  };

  explicit Jumper(const Uses& uses);

  // Has the thread go on at `jump.target` of the method that it runs. The error is the reason, for
  // people; the thread then is where it was, unless the VM has let it run and it did not arrive.
  [[nodiscard]] code::Outcome jump(const jvm::Jni& jni, jthread thread, jclass type,
                                   jmethodID method, JumpSpec jump, const JumpValues& values);

 private:
  [[nodiscard]] code::Outcome check(const jvm::Jni& jni, jthread thread, jclass type,
                                    jmethodID method) const;
  [[nodiscard]] code::Outcome prepare(const jvm::Jni& jni);
  [[nodiscard]] bool hand_over(const jvm::Jni& jni, jthread thread, std::uint16_t number,
                               const JumpValues& values) const;

  const Uses uses_;
  JumpCalls calls_;
  jvm::GlobalRef<jclass> class_;
};

}  // namespace jvmdebug::agent::jumps
