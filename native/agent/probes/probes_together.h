// SPDX-License-Identifier: Apache-2.0
//
// Puts many probes into classes by one change of up to a hundred classes.
//
// The debugger first installs probes as deferred ones, and then asks for all of them at once. If
// the VM refuses one of the classes, or rewriting fails, each class is changed alone; if that fails
// too, the probes that are not possible are found by halving. A refused change has no effect. Agent
// threads, one at a time.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

#include <jvmti.h>

#include "agent/code/code_changes.h"
#include "agent/events/code_location.h"
#include "agent/jvm/env.h"
#include "agent/jvm/jni.h"
#include "agent/probes/probe_life.h"
#include "agent/probes/probe_specs.h"
#include "agent/probes/probed_class.h"

namespace jvmdebug::agent::events {
class Breakpoints;
}

namespace jvmdebug::agent::probes {

class ChangeLimits;
class OldFrames;
class ProbeCalls;

// Notes the event for all these probes.
void note(std::span<const Probes> groups, ProbeEvent event);
// Has the probes report their requests in place of the VM.
void leave_to_probes(events::Breakpoints& breakpoints, std::span<const Probes> groups);

class ProbesTogether {
 public:
  ProbesTogether(const jvm::Env& env, code::CodeChanges& changes, ProbeCalls& calls,
                 const ChangeLimits& limits, const OldFrames& old_frames,
                 events::Breakpoints& breakpoints)
      : env_(env),
        changes_(changes),
        calls_(calls),
        limits_(limits),
        old_frames_(old_frames),
        breakpoints_(breakpoints) {}

  // Puts the deferred probes of these requests in, by one change of each class if possible.
  [[nodiscard]] std::vector<Refusal> complete(std::span<const std::int32_t> request_ids);

 private:
  // The probes that are to be put into one class, grouped by request.
  struct Entering {
    ProbedClass* of = nullptr;
    std::vector<Probes> groups;
    std::map<jmethodID, std::string> full;  // methods without room for more, and the reason
    std::vector<Refusal> refused;
  };

  [[nodiscard]] static std::vector<Probes> deferred(const ProbedClass& of,
                                                    const std::set<std::int32_t>& wanted);
  void complete(std::span<Entering> classes);
  [[nodiscard]] bool enter_together(std::span<Entering* const> classes);
  void enter(ProbedClass& of, std::span<const Probes> groups, Entering& entering);
  void refuse_used(std::span<Entering* const> classes);
  void refuse_crashing(Entering& entering, jclass type);
  [[nodiscard]] std::set<jmethodID> used_methods(const jvm::Jni& jni,
                                                 const code::ThreadStacks& stacks,
                                                 std::span<Entering* const> classes);
  void refuse(ProbedClass& of, const Probes& probes, std::string reason, Entering& entering);

  const jvm::Env& env_;
  code::CodeChanges& changes_;
  ProbeCalls& calls_;
  const ChangeLimits& limits_;
  const OldFrames& old_frames_;
  events::Breakpoints& breakpoints_;
};

}  // namespace jvmdebug::agent::probes
