// SPDX-License-Identifier: Apache-2.0
//
// The state of one step request on its thread. While the thread runs, only the thread itself reads
// where the step began; what other threads may change is atomic.
#pragma once

#include <atomic>
#include <memory>
#include <unordered_set>
#include <vector>

#include <jvmti.h>

#include "codec/generated/constants.h"

namespace jvmdebug::agent::events {
class EventRequest;
}

namespace jvmdebug::agent::threads {

class Step {
 public:
  Step(protocol::StepSize step_size, protocol::StepDepth step_depth)
      : size(step_size), depth(step_depth) {}

  const protocol::StepSize size;
  const protocol::StepDepth depth;
  std::weak_ptr<const events::EventRequest> request;  // its class filters say where not to stop

  // --- any thread ----------------------------------------------------------------------------
  std::atomic<bool> cancelled = false;
  std::atomic<int> paused = 0;  // the thread runs methods for the debugger, which the step ignores
  std::atomic<bool> single_steps = false;
  std::atomic<bool> method_entries = false;
  // Set by ReturnBreakpoints if breakpoints in the callers are not enough, and method entries are
  // needed too.
  std::atomic<bool> entries_after_exit = false;

  [[nodiscard]] bool counts() const { return !cancelled && paused == 0; }

  // --- where it began; the thread itself, or who holds it suspended --------------------------
  jint from_depth = 0;
  jint from_line = -1;  // -1: unknown
  bool from_native = false;
  bool throws_after_exit = false;  // ReturnBreakpoints: the ending frame constructs an exception
  // A step out that has been reported and stays active: as in the JDK's own agent, it also ends on
  // further lines of the frame that it has reached, until that frame calls a method.
  bool ends_in_frame = false;
  bool frame_exited = false;  // that frame is gone: wherever the thread is next, the step is done
  jmethodID method = nullptr;
  std::vector<jvmtiLineNumberEntry> lines;  // of `method`, by start
  // Methods that a step into has entered and may not stop in. A line may enter millions of times
  // what links or interprets it.
  std::unordered_set<jmethodID> passed;
};

}  // namespace jvmdebug::agent::threads
