// SPDX-License-Identifier: Apache-2.0
//
// The VM's breakpoints, as this room uses them for breakpoints of the agent's own: several parts of
// the agent may want one at the same location. Implemented by events::Breakpoints, which counts
// them.
#pragma once

#include <vector>

#include "agent/jvm/code_location.h"
#include "agent/jvm/result.h"

namespace jvmdebug::agent::threads {

class BreakpointSetter {
 public:
  BreakpointSetter() = default;
  BreakpointSetter(const BreakpointSetter&) = delete;
  BreakpointSetter& operator=(const BreakpointSetter&) = delete;
  virtual ~BreakpointSetter() = default;

  // Enables breakpoint events on all threads; they stay enabled. False: the VM refuses.
  [[nodiscard]] virtual bool enable_events() = 0;
  // Adds a breakpoint. Any thread. After an error there is nothing to remove().
  [[nodiscard]] virtual jvm::Result<void> add(const jvm::CodeLocation& location) = 0;
  // Removes a breakpoint. Agent threads; the caller calls clear_removed() afterwards.
  virtual void remove(const jvm::CodeLocation& location) = 0;
  virtual void clear_removed() = 0;
  // Runs remove() and clear_removed() soon, on the reporter's thread. Any thread.
  virtual void remove_later(std::vector<jvm::CodeLocation> locations) = 0;
  // Whether a breakpoint there may make the program run wrong code. Any thread.
  [[nodiscard]] virtual bool may_harm(const jvm::CodeLocation& location) = 0;
  // Called when the debugger has resumed threads: what could not be removed because they stood
  // there is tried again.
  virtual void resumed() = 0;
};

}  // namespace jvmdebug::agent::threads
