// SPDX-License-Identifier: Apache-2.0
//
// Theory of operation: probes, and how their parts fit together.
//
// A probe is a breakpoint request whose condition the program checks itself. A check is a class of
// its own, made by the debugger; a static call of it is put in front of the instruction that the
// request is for. Where the check says so, it calls the agent: from there the thread runs by single
// steps to that instruction, so that it stops in the program's own frame as at a breakpoint of the
// VM.
//
// An agent that was loaded into a running VM gets neither breakpoints nor steps nor local variables
// of it. There the thread stays inside the check, which hands over the variables of its frame, and
// frames that run a version of the method from before report nothing.
//
// Elsewhere frames that run a version of the method from before the call was put there get a
// breakpoint of the VM, and report the request as without a probe. Whatever goes wrong leaves or
// puts back the breakpoint of the VM.
//
// The parts, each with a header of its own:
//
//     a request gets a probe     ProbeInstaller    asks those below in turn
//                                ProbeMaker        defines the class of the check
//                                ChangeLimits      whether the class may be changed now
//                                ProbesTogether    many probes by one change
//     the code of classes        code::CodeChanges the owner; its clients are:
//                                ProbeCalls        calls of checks: in, kept, taken out
//                                throws::ThrowCalls   calls that report exceptions, for ThrowWatch
//                                CodeSurroundings  what the owner asks about breakpoints and stacks
//                                code::Redefinitions  class files from the debugger
//                                BreakpointGate    before the VM is to have a breakpoint
//                                OldFrames         frames in older versions of methods
//     a check calls              ProbeHits         from the call to the event
//                                StoredValues      what is stored where the debugger watches
//                                CheckFrames       whether a thread is in a check
//     what is known              ProbeList         probes by number, ProbeLife: their states
//                                CheckCode         what the classes of checks do
//                                LogPoints, RunningChecks, check_fields.h
//
// This class makes the parts, in an order in which each gets what it uses, and does what takes
// several of them. Locks: each part has its own, of rank kProbes, and holds none while it calls
// another part; CodeChanges calls its clients under its lock, which has a lower rank.
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include <jvmti.h>

#include "agent/code/code_changes.h"
#include "agent/code/redefinitions.h"
#include "agent/events/request_table.h"
#include "agent/jvm/jni.h"
#include "agent/probes/breakpoint_gate.h"
#include "agent/probes/change_limits.h"
#include "agent/probes/check_code.h"
#include "agent/probes/check_frames.h"
#include "agent/probes/code_surroundings.h"
#include "agent/probes/log_points.h"
#include "agent/probes/old_frames.h"
#include "agent/probes/probe_calls.h"
#include "agent/probes/probe_hits.h"
#include "agent/probes/probe_installer.h"
#include "agent/probes/probe_list.h"
#include "agent/probes/probe_maker.h"
#include "agent/probes/probe_specs.h"
#include "agent/probes/probes_together.h"
#include "agent/probes/running_checks.h"
#include "agent/probes/stored_values.h"

namespace jvmdebug::agent {
class Agent;
}

namespace jvmdebug::agent::probes {

class ProbeTable {
 public:
  explicit ProbeTable(Agent& agent);

  // --- the parts -----------------------------------------------------------------------------
  [[nodiscard]] ProbeInstaller& installer() { return installer_; }

  [[nodiscard]] ProbeHits& hits() { return hits_; }

  [[nodiscard]] StoredValues& stored() { return stored_; }

  [[nodiscard]] LogPoints& log() { return log_; }

  [[nodiscard]] const RunningChecks& running() const { return running_; }

  [[nodiscard]] code::CodeChanges& changes() { return changes_; }

  [[nodiscard]] const ChangeLimits& limits() const { return limits_; }

  [[nodiscard]] code::Redefinitions& redefinitions() { return redefinitions_; }

  [[nodiscard]] BreakpointGate& gate() { return gate_; }

  [[nodiscard]] const OldFrames& old_frames() const { return old_frames_; }

  [[nodiscard]] const code::OlderVersions& older_versions() { return changes_.older_versions(); }

  // The guard that a thread holds while it runs something for the debugger.
  [[nodiscard]] CheckGuard& guard() { return maker_.guard(); }

  // --- agent threads, one at a time ----------------------------------------------------------
  [[nodiscard]] std::vector<ProbeUse> uses() const;
  // One more hit of a request that the program counts: which one it is; -1 if it counts none.
  [[nodiscard]] std::int64_t count_hit(std::int32_t request_id) const;
  // Returns what the checks that time the program have measured, for one of their requests.
  [[nodiscard]] std::vector<ThreadTimes> times(const events::Request& request) const;
  // Whether stores into arrays can be told from others, by probes or by the operands.
  [[nodiscard]] bool can_watch_elements();
  // After requests have been removed: takes the calls out of the classes again. Gently: not out of
  // classes that threads run; there they stay, and do nothing, until one of the next times.
  void sweep(code::Sweep how = code::Sweep::kGently);

  // --- any thread ----------------------------------------------------------------------------
  // Whether a thread stays inside a check that holds, as the VM reports no breakpoints.
  [[nodiscard]] bool stops_in_check() const { return !changes_.reports_breakpoints(); }

  // The debugger knows the agent, and has a probe put where it sets a breakpoint. Another one would
  // wait for it in vain.
  void debugger_asks() { has_asked_ = true; }

  [[nodiscard]] bool knows_debugger() const { return has_asked_; }

  [[nodiscard]] bool takes_breakpoints() const { return stops_in_check() && has_asked_; }

  void breakpoint_set() const { old_frames_.watch(); }

  // Stops steps that no breakpoint needs any more. On agent threads only.
  void breakpoint_removed() const { old_frames_.breakpoint_removed(); }

  // Whether the thread is in what a check has called, or in the check itself.
  [[nodiscard]] bool is_in_check() const { return frames_.is_in_check(); }

  // The same, faster; it runs that method.
  [[nodiscard]] bool is_in_check(jmethodID method) const { return frames_.is_in_check(method); }

  // The class of a check asks while it is initialized: an array, a local reference, or null.
  [[nodiscard]] jobjectArray given(const jvm::Jni& jni) { return maker_.given(jni); }

 private:
  Agent& agent_;
  std::atomic<bool> has_asked_ = false;
  OldFrames old_frames_;
  CodeSurroundings surroundings_;
  code::CodeChanges changes_;
  code::Redefinitions redefinitions_;
  BreakpointGate gate_;
  ChangeLimits limits_;
  CheckCode checks_;
  ProbeList list_;
  CheckFrames frames_;
  ProbeMaker maker_;
  ProbeCalls calls_;
  ProbesTogether together_;
  LogPoints log_;
  ProbeInstaller installer_;
  StoredValues stored_;
  ProbeHits hits_;
  RunningChecks running_;
};

}  // namespace jvmdebug::agent::probes
