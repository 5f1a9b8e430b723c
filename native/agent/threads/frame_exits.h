// SPDX-License-Identifier: Apache-2.0
//
// Reports to the Stepper that a frame was left, so that a step need not go through the called code
// instruction by instruction. Two ways: the VM's frame pop events, and breakpoints where the
// callers continue (ReturnBreakpoints), for a program whose speed those events would cost.
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

  // The step begins in the topmost frame of the thread, or has come back to it. `where` is the
  // thread for JVM TI, null for the current one. OPAQUE_FRAME for a native frame.
  [[nodiscard]] virtual jvm::Result<void> watch_own_frame(const Tracked& thread, jthread where,
                                                          Step& step) = 0;
  // The topmost frame is one that the step's own has called, perhaps by way of others: the thread
  // is at its first instruction or, suspended, has come back to it because the debugger popped
  // frames. `where` as above. An error: go on instruction by instruction.
  [[nodiscard]] virtual jvm::Result<void> watch_callee(const Tracked& thread, jthread where,
                                                       Step& step) = 0;

  enum class Exit : std::uint8_t { kNone, kReturned, kCaught };

  // Whether the current thread, which is at a breakpoint, has come there out of the frames that the
  // step waits for.
  [[nodiscard]] virtual Exit exit_at_breakpoint(const Step& /*step*/, jmethodID /*method*/,
                                                jlocation /*index*/) const {
    return Exit::kNone;
  }

  // The same of the method that it enters.
  [[nodiscard]] virtual bool are_left_at_entry(const Step& /*step*/, jmethodID /*method*/) const {
    return false;
  }

  // Threads run, or will in a moment: nothing is kept for those that do not step.
  virtual void drop_idle() {}

  // Whether frames that were watched stay watched after their step, until forget(): of a thread
  // that is suspended in an event of the agent's, or of the current one (null) at an instruction.
  [[nodiscard]] virtual bool keep_watching() const { return false; }

  [[nodiscard]] virtual jvm::Result<void> forget(jthread /*where*/) { return {}; }

  // The thread is ending; on the thread itself.
  virtual void thread_ended(const Tracked& /*self*/) {}

  // Around a redefinition, which moves code and takes the VM's breakpoints in it away. Gives the
  // threads that are held meanwhile.
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

  // A thread with frame pops stays in the interpreter until these frames have returned, also when
  // nobody asks for the event. Before JDK 25 there is no way to take them back.
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
