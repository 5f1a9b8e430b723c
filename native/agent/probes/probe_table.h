// SPDX-License-Identifier: Apache-2.0
//
// Theory of operation: probes, and how their parts fit together.
//
// A probe has the program itself check the condition of a breakpoint request. The debugger makes a
// class, the check, and the agent puts a static call of it in front of the instruction that the
// request is for: the probe. When the condition holds, the check calls the agent. From there the
// thread runs by single steps to that instruction, so it stops in the program's own frame, as at a
// breakpoint of the VM.
//
// The event request stays. A probe takes the place of its breakpoint in the VM, and if the probe is
// not possible, or ends, the VM's breakpoint is left or set again. Frames that began before the
// call was put in run code without it. Where such a frame may come to the instruction, the probe is
// refused. If it comes to matter later, because a breakpoint is set, the thread steps until the
// frame is gone (OldFrames), and the request is reported as without a probe.
//
// An agent that was loaded into a running VM gets neither breakpoints nor steps nor local variables
// of the VM. There the thread stays inside the check, which hands over the variables of its frame,
// and frames in older versions of the method report nothing.
//
// The parts, each with a header of its own:
//
//     a request gets a probe
//         ProbeInstaller       does it, by the parts below
//         ProbeMaker           defines the class of the check
//         ChangeLimits         whether the class may be changed now
//         ProbesTogether       puts in many probes by one change
//     the code of classes
//         code::CodeChanges    the owner; its clients are ProbeCalls and ThrowCalls
//         ProbeCalls           calls of checks: which are put in, kept, taken out
//         throws::ThrowCalls   calls that report exceptions, for ThrowWatch
//         CodeSurroundings     gives the owner breakpoints and stacks
//         code::Redefinitions  class files from the debugger
//         BreakpointGate       prepares a method for a breakpoint of the VM
//         OldFrames            frames in older versions of methods
//     a check calls the agent
//         ProbeHits            from the call to the event
//         StoredValues         what is stored where the debugger watches
//         CheckFrames          whether a thread is in a check
//     what is known
//         ProbeList            probes by number; ProbeLife has their states
//         CheckCode            changes the code of checks
//         LogPoints, RunningChecks, check_fields.h
//
// This class constructs the parts, each after the parts that it uses, and has the functions that
// take several of them. Each part has a lock of its own, of rank kProbes, and holds none while it
// calls another part. CodeChanges calls its clients while it holds its lock, which has a lower
// rank.
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

  // Returns the guard that a thread holds while it runs code for the debugger.
  [[nodiscard]] CheckGuard& guard() { return maker_.guard(); }

  // --- agent threads, one at a time ----------------------------------------------------------
  [[nodiscard]] std::vector<ProbeUse> uses() const;
  // Counts one more hit of a request whose check counts. Returns the new count, or -1 if the check
  // counts nothing.
  [[nodiscard]] std::int64_t count_hit(std::int32_t request_id) const;
  // Returns what the checks that time the program have measured. `request`: one of theirs.
  [[nodiscard]] std::vector<ThreadTimes> times(const events::Request& request) const;
  // Returns what the probes keep in the program's heap.
  [[nodiscard]] std::vector<jvm::LocalRef<jobject>> own_objects(const jvm::Jni& jni) const;
  // Whether stores into watched arrays can be recognized, by probes or by reading the operand
  // stack.
  [[nodiscard]] bool can_watch_elements();
  // Takes calls of ended requests out of the classes. A gentle sweep leaves classes alone that
  // threads run; their calls do nothing, and a later sweep takes them out.
  void sweep(code::Sweep how = code::Sweep::kGently);

  [[nodiscard]] bool needs_sweep() const { return changes_.needs_sweep(); }

  // --- any thread ----------------------------------------------------------------------------
  // Whether a thread stays inside a check that holds, because the VM reports no breakpoints.
  [[nodiscard]] bool stops_in_check() const { return !changes_.reports_breakpoints(); }

  // Notes that the debugger knows this agent, and installs a probe for each breakpoint that it
  // sets. In a VM that reports no breakpoints, the breakpoints of any other debugger would never be
  // hit.
  void debugger_asks() { has_asked_ = true; }

  [[nodiscard]] bool knows_debugger() const { return has_asked_; }

  [[nodiscard]] bool takes_breakpoints() const { return stops_in_check() && has_asked_; }

  void breakpoint_set() const { old_frames_.watch(); }

  // Ends steps that no breakpoint needs any more. Agent threads.
  void breakpoint_removed() const { old_frames_.breakpoint_removed(); }

  // Whether the thread is in a check, or in a method that a check has called.
  [[nodiscard]] bool is_in_check() const { return frames_.is_in_check(); }

  // The same for a thread that runs `method`; faster.
  [[nodiscard]] bool is_in_check(jmethodID method) const { return frames_.is_in_check(method); }

  // Called by the class of a check while it is initialized. Returns a local reference to an array,
  // or null.
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
