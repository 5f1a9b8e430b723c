// SPDX-License-Identifier: Apache-2.0
//
// Puts many probes into classes by one change of a hundred of them.
//
// The debugger installs probes as deferred ones first, and then asks for all of them at once. Where
// the VM refuses one of the classes, or the rewriting does, each class is changed alone; and then
// one of the probes is to blame: those that cannot be are found by halves. What is refused changes
// nothing. Agent threads, one at a time.
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

// Notes the event for all of them.
void note(std::span<const Probes> groups, ProbeEvent event);
// Has the probes report their requests, and the VM no longer.
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

  // Puts in the deferred ones of these requests, by one change of each class if all can be.
  [[nodiscard]] std::vector<Refusal> complete(std::span<const std::int32_t> request_ids);

 private:
  // Probes of one class that are to be put in, those of each request together.
  struct Entering {
    ProbedClass* of = nullptr;
    std::vector<Probes> groups;
    std::map<jmethodID, std::string> full;  // methods that have no room for more, and why
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
