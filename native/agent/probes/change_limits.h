// SPDX-License-Identifier: Apache-2.0
//
// Says what prevents a change of a class or a method. Agent threads.
//
// Some classes can never be changed (check_possible()). Others must not be changed at present: a
// breakpoint of the VM would do harm in the class afterwards, another agent has changed it, or a
// frame runs the method. A frame matters if hits in it would be lost, or if HotSpot would take it
// for a frame of another version (code/kept_frames.h). A later look may find that the change is
// possible.
#pragma once

#include <span>
#include <string>

#include <jvmti.h>

#include "agent/code/code_users.h"
#include "agent/code/outcome.h"
#include "agent/events/code_location.h"
#include "agent/jvm/env.h"
#include "agent/jvm/jni.h"

namespace jvmdebug::agent::code {
class CodeChanges;
}

namespace jvmdebug::agent::events {
class Breakpoints;
}

namespace jvmdebug::agent::probes {

class OldFrames;

class ChangeLimits {
 public:
  // `may_change` is false if the agent was told to leave the code of the program alone.
  ChangeLimits(const jvm::Env& env, code::CodeChanges& changes, events::Breakpoints& breakpoints,
               const OldFrames& old_frames, bool may_change)
      : env_(env),
        changes_(changes),
        breakpoints_(breakpoints),
        old_frames_(old_frames),
        may_change_(may_change) {}

  [[nodiscard]] code::Outcome check_possible(jclass type) const;
  // Checks whether a change does no harm. `entering`: locations where the VM has breakpoints that
  // probes replace in the same change.
  [[nodiscard]] code::Outcome check_unharmed(const jvm::Jni& jni, jclass type,
                                             std::span<const events::CodeLocation> entering) const;
  // Checks the same, and whether frames prevent a change of the method.
  [[nodiscard]] code::Outcome check_unused(
      const jvm::Jni& jni, jclass type, jmethodID method,
      std::span<const events::CodeLocation> entering = {}) const;
  // Whether the VM could crash after a change of the method, at a breakpoint that stays in it.
  [[nodiscard]] code::Outcome check_records(jclass type, jmethodID method,
                                            std::span<const events::CodeLocation> entering) const;
  // Whether frames of the method, or of methods that get a new version together with it, prevent a
  // change.
  [[nodiscard]] bool is_in_use(const jvm::Jni& jni, const code::ThreadStacks& stacks, jclass type,
                               jmethodID method) const;
  // Returns the reason in words. `is_known` is false if there are too many threads to look at.
  [[nodiscard]] static std::string why_in_use(bool is_known);
  // Whether calls may be taken out of the method. Without any breakpoint no hit can be lost.
  [[nodiscard]] bool may_change(jmethodID method, code::StackLook& look) const;

  // Returns the stacks of all threads; none if there are too many threads.
  [[nodiscard]] const std::optional<code::ThreadStacks>& stacks_of(code::StackLook& look) const;

 private:
  [[nodiscard]] bool may_change_now(jmethodID method, code::StackLook& look) const;

  const jvm::Env& env_;
  code::CodeChanges& changes_;
  events::Breakpoints& breakpoints_;
  const OldFrames& old_frames_;
  const bool may_change_;
};

}  // namespace jvmdebug::agent::probes
