// SPDX-License-Identifier: Apache-2.0
//
// Stepping: into, over, out; by line or by instruction. Single steps are on only where the next
// stop may be; a called method runs without them until its frame is popped, so stepping over a
// deep or recursive call costs one event per call from the stepped frame, not one per instruction.
//
// FrameExits reports that a frame was left: by frame pop events or, in the fast mode, which has
// none, by breakpoints where its callers continue; nothing else differs.
//
// begin() and end() run on agent threads, the on_...() functions on the stepping thread.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <jvmti.h>

#include "agent/atomic_shared.h"
#include "agent/jvm/code_location.h"
#include "agent/jvm/env.h"
#include "agent/threads/breakpoint_setter.h"
#include "agent/threads/frame_exits.h"
#include "agent/threads/reporter.h"
#include "agent/threads/step.h"
#include "agent/threads/step_place.h"
#include "agent/threads/thread_registry.h"
#include "codec/result.h"

namespace jvmdebug::agent::threads {

class Parking;
class Suspension;

class Stepper {
 public:
  struct Uses {
    const jvm::Env& env;
    ThreadRegistry& registry;
    Suspension& suspension;
    Parking& parking;
    BreakpointSetter& breakpoints;
    Reporter& reporter;
  };

  explicit Stepper(const Uses& uses);

  // Begins a step, in place of the thread's current one, if any. A thread without frames stops at
  // its first instruction.
  Result<void> begin(const Tracked& thread, const std::shared_ptr<Step>& step);
  void end(const Tracked& thread, const std::shared_ptr<Step>& step);
  // Called when frames of a suspended thread were popped. Its step continues if its frame still
  // exists, else it begins again at the current location.
  void frames_popped(const Tracked& thread);
  // Called before the debugger resumes anything: while all threads are suspended, unused
  // breakpoints are removed at once.
  void resuming();
  // Called when the debugger and its requests are gone: no thread runs with single steps for them
  // any more.
  void debugger_left();
  // Called around a redefinition: stepping threads are suspended, and their breakpoints are set
  // again.
  [[nodiscard]] std::vector<Tracked> before_redefinition();
  void after_redefinition(const std::vector<Tracked>& held);

  // Called around a method that the thread runs for the debugger, which its step ignores. pause()
  // returns what resume() takes.
  [[nodiscard]] std::shared_ptr<Step> pause(const Tracked& self);
  void resume(const Tracked& self, const std::shared_ptr<Step>& step);

  // Handles a single step event for the thread's step. True when the step is done here; the next
  // one begins at once, because a step request stays until it is cleared.
  [[nodiscard]] bool completes(const Tracked& self, Step& step, StepPlace& place);
  // Handles any single step event of the thread, also without a step.
  void on_single_step(const Tracked& self);
  void on_frame_pop(const Tracked& self);
  void on_exception_catch(const Tracked& self);
  // Whether the step has left its frame here. The VM reports no single step for this location, so
  // it is then treated as one.
  [[nodiscard]] bool on_method_entry(const Tracked& self, StepPlace& place);
  // Whether the thread has entered a method for its step alone, and has entered that before without
  // a stop: there is nothing to do. The first thing that is asked at an entry.
  [[nodiscard]] bool passes_entry(jmethodID method) const;
  // The same, at a breakpoint. (A step whose exception is caught by a handler ends at the next
  // instruction.)
  [[nodiscard]] bool returns_to_breakpoint(const Tracked& self, const jvm::CodeLocation& here);
  void thread_ended(const Tracked& self);

  // The stratum (JSR-45) whose lines steps go by; empty: each class's own default. Any thread.
  void set_default_stratum(std::string id) {
    stratum_.store(std::make_shared<const std::string>(std::move(id)));
  }

  // Enables the method entries of one thread because the debugger requests them; its steps may need
  // them too. Called on agent threads; the requests are counted elsewhere.
  [[nodiscard]] jvm::Result<void> enable_method_entries(const Tracked& thread);
  void disable_method_entries(const Tracked& thread);

  // Enables and disables events as the thread's step and frame pop need them now.
  void apply(const Tracked& thread);

 private:
  void begin_here(const Tracked& thread, jthread where, Step& step);
  void continue_in_caller(const Tracked& self, Step& step);
  [[nodiscard]] bool is_far_enough(const Tracked& self, Step& step, StepPlace& place);
  void run_callee(const Tracked& self, Step& step);
  [[nodiscard]] bool may_stop_in(const Step& step, StepPlace& place);
  [[nodiscard]] bool on_another_line(const Step& step, const StepPlace& place) const;
  [[nodiscard]] bool has_lines(jmethodID method) const;
  // The lines of a method in order of their start, in the stratum's numbering.
  [[nodiscard]] std::vector<jvmtiLineNumberEntry> lines_of(jmethodID method) const;

  const Uses uses_;
  const jvm::Env& env_;
  std::unique_ptr<FrameExits> exits_;
  AtomicShared<const std::string> stratum_;
};

}  // namespace jvmdebug::agent::threads
