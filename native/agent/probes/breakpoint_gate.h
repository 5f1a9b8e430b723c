// SPDX-License-Identifier: Apache-2.0
//
// Makes a method ready for a breakpoint of the VM.
//
// Where the breakpoint would do harm in an older version (code/older_versions.h), the method first
// gets a deeper operand stack by one change of its class and loses it by another. Both changes
// leave the other methods as they are, so HotSpot marks all older versions of this one obsolete.
// Threads that run one of these make single steps until they have left it (old_frames.h). So the
// gate refuses a method with a frame that stays for long, or with one that HotSpot takes for a
// frame of the newest version, in which the breakpoint would not be seen. If the class has a single
// method, no frame may run the class at all; then a change makes HotSpot free all older versions.
// Agent threads, one at a time.
#pragma once

#include <set>

#include <jvmti.h>

#include "agent/code/outcome.h"
#include "agent/events/code_location.h"
#include "agent/jvm/env.h"
#include "agent/jvm/jni.h"

namespace jvmdebug::agent::code {
class CodeChanges;
class CodeVersions;
}  // namespace jvmdebug::agent::code

namespace jvmdebug::agent::events {
class Breakpoints;
}

namespace jvmdebug::agent::probes {

class OldFrames;

class BreakpointGate {
 public:
  BreakpointGate(const jvm::Env& env, code::CodeChanges& changes, code::CodeVersions& versions,
                 events::Breakpoints& breakpoints, const OldFrames& old_frames)
      : env_(env),
        changes_(changes),
        versions_(versions),
        breakpoints_(breakpoints),
        old_frames_(old_frames) {}

  // Makes the method ready for a breakpoint at that location. The error is the reason why that is
  // not possible now.
  [[nodiscard]] code::Outcome prepare(const events::CodeLocation& location);

 private:
  [[nodiscard]] bool are_left_soon(const jvm::Jni& jni, jclass type,
                                   const std::set<jmethodID>& methods, bool all);

  const jvm::Env& env_;
  code::CodeChanges& changes_;
  code::CodeVersions& versions_;
  events::Breakpoints& breakpoints_;
  const OldFrames& old_frames_;
};

}  // namespace jvmdebug::agent::probes
