// SPDX-License-Identifier: Apache-2.0
//
// Reports to the Stepper that a frame was left, so that a step need not go through the called code
// instruction by instruction. There are two ways: the VM's frame pop events, and breakpoints where
// the callers continue (ReturnBreakpoints), for programs that those events would slow down.
//
// watch_...(), exit_at_...() and are_left_...() run on the thread itself, or while it is suspended;
// the others on agent threads.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include <jvmti.h>

#include "agent/jvm/env.h"
#include "agent/threads/step.h"
#include "agent/threads/tracked_thread.h"

namespace jvmdebug::agent::threads {

class FrameExits {
 public:
  FrameExits() = default;
  FrameExits(const FrameExits&) = delete;
  FrameExits& operator=(const FrameExits&) = delete;
  virtual ~FrameExits() = default;

  // Called when the step begins in the topmost frame of the thread, or has come back to it. `where`
  // is the thread for JVM TI, null for the current one. Returns OPAQUE_FRAME for a native frame.
  [[nodiscard]] virtual jvm::Result<void> watch_own_frame(const Tracked& thread, jthread where,
                                                          Step& step) = 0;
  // Called when the topmost frame was called, directly or not, by the step's own frame. The thread
  // is at the frame's first instruction or, suspended, has come back to it because the debugger
  // popped frames. `where` as above. After an error the step goes on instruction by instruction.
  [[nodiscard]] virtual jvm::Result<void> watch_callee(const Tracked& thread, jthread where,
                                                       Step& step) = 0;

  enum class Exit : std::uint8_t { kNone, kReturned, kCaught };

  // Whether the current thread, which is at a breakpoint, has left the frames that the step waits
  // for.
  [[nodiscard]] virtual Exit exit_at_breakpoint(const Step& /*step*/, jmethodID /*method*/,
                                                jlocation /*index*/) const {
    return Exit::kNone;
  }

  // The same at the entry of a method.
  [[nodiscard]] virtual bool are_left_at_entry(const Step& /*step*/, jmethodID /*method*/) const {
    return false;
  }

  // Drops what is kept for threads that do not step; called when threads run, or will in a moment.
  virtual void drop_idle() {}

  // Whether frames stay watched after their step, until forget() is called for a thread that is
  // suspended in an event of the agent, or for the current thread (null) at an instruction.
  [[nodiscard]] virtual bool keep_watching() const { return false; }

  [[nodiscard]] virtual jvm::Result<void> forget(jthread /*where*/) { return {}; }

  // Called when the thread ends, on the thread itself.
  virtual void thread_ended(const Tracked& /*self*/) {}

  // Called around a redefinition, which moves code and removes the VM's breakpoints in it. Returns
  // the threads that are suspended meanwhile.
  [[nodiscard]] virtual std::vector<Tracked> before_redefinition() { return {}; }

  virtual void after_redefinition(const std::vector<Tracked>& /*held*/) {}
};

// Uses NotifyFramePop: the VM itself reports the end of the frame.
class FramePops : public FrameExits {
 public:
  explicit FramePops(const jvm::Env& env) : env_(env) {}

  [[nodiscard]] jvm::Result<void> watch_own_frame(const Tracked& /*thread*/, jthread where,
                                                  Step& /*step*/) override {
    return watch(where);
  }

  [[nodiscard]] jvm::Result<void> watch_callee(const Tracked& /*thread*/, jthread where,
                                               Step& /*step*/) override {
    return watch(where);
  }

  // A thread with frame pops stays in the interpreter until these frames have returned, even when
  // the event is disabled. Before JDK 25 they cannot be cleared.
  [[nodiscard]] bool keep_watching() const override { return env_.can_clear_frame_pops(); }

  [[nodiscard]] jvm::Result<void> forget(jthread where) override {
    return env_.clear_all_frame_pops(where);
  }

 private:
  [[nodiscard]] jvm::Result<void> watch(jthread thread) const {
    auto watched = env_.notify_frame_pop(thread, 0);
    if (!watched && watched.error() == JVMTI_ERROR_DUPLICATE) {
      return {};  // it is watched already (25 and newer say so)
    }
    return watched;
  }

  const jvm::Env& env_;
};

}  // namespace jvmdebug::agent::threads
