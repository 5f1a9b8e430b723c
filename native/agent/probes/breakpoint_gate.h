// SPDX-License-Identifier: Apache-2.0
//
// Makes a method ready for a breakpoint of the VM.
//
// Where the breakpoint would do harm in an older version, see code/older_versions.h, the method
// gets a deeper operand stack by one change of its class and loses it by another. Both leave the
// other methods as they are, so HotSpot marks all older versions of this one obsolete. Threads that
// run one of these make single steps until they have left it, see old_frames.h. So not where a
// frame stays for long, nor in one that HotSpot takes for a frame of the newest version, where the
// breakpoint would not be seen. A class with one method has to be without any frame: then a change
// has HotSpot free all older versions. Agent threads, one at a time.
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

  // Makes the method ready for a breakpoint there. An error is the reason why that is not possible
  // now.
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
