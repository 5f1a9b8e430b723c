// SPDX-License-Identifier: Apache-2.0
//
// Makes probes: defines the classes of their checks in the program, and before that the classes
// that all checks need. Agent threads, one at a time; only given() is called on the thread that
// initializes the class of a check.
#pragma once

#include <expected>
#include <memory>
#include <span>
#include <string>

#include <jvmti.h>

#include "agent/code/outcome.h"
#include "agent/events/request_table.h"
#include "agent/jvm/env.h"
#include "agent/jvm/jni.h"
#include "agent/probes/check_guard.h"
#include "agent/probes/given_objects.h"
#include "agent/probes/probe_specs.h"
#include "agent/probes/probed_class.h"

namespace jvmdebug::agent::code {
class CodeChanges;
class CodeVersions;
}  // namespace jvmdebug::agent::code

namespace jvmdebug::agent::probes {

class CheckFrames;
class ProbeList;

class ProbeMaker {
 public:
  ProbeMaker(const jvm::Env& env, code::CodeChanges& changes, code::CodeVersions& versions,
             const ProbeList& list, CheckFrames& frames)
      : env_(env), changes_(changes), versions_(versions), list_(list), frames_(frames) {}

  // Defines what all checks need. Called before the first probe.
  [[nodiscard]] code::Outcome prepare(const jvm::Jni& jni);
  // Whether the class that checks call has arrive(), which reports the hits of several checks
  // together.
  [[nodiscard]] bool can_join(const jvm::Jni& jni) const;
  // Makes the probe and its companions.
  [[nodiscard]] std::expected<Probes, std::string> make(const jvm::Jni& jni,
                                                        const events::Request& request,
                                                        const ProbeSpec& spec);
  // Tells all checks whether some check calls methods of the program. Only then do they look for
  // marks of threads. Called after the probes of requests have changed.
  void update_guard(const jvm::Jni& jni);

  // Returns the guard that a thread holds while it runs code for the debugger.
  [[nodiscard]] CheckGuard& guard() { return guard_; }

  // Called by the class of a check while it is initialized. Returns a local reference to an array,
  // or null.
  [[nodiscard]] jobjectArray given(const jvm::Jni& jni) { return given_.take(env_, jni); }

 private:
  [[nodiscard]] code::Outcome prepare_guard(const jvm::Jni& jni);
  [[nodiscard]] std::expected<std::shared_ptr<Probe>, std::string> make_one(
      const jvm::Jni& jni, const events::Request& request, const CheckSpec& spec, jlocation index,
      const Probes& others, std::span<const Given> given = {});

  const jvm::Env& env_;
  code::CodeChanges& changes_;
  code::CodeVersions& versions_;
  const ProbeList& list_;
  CheckFrames& frames_;
  jvm::GlobalRef<jclass> probes_class_;
  CheckGuard guard_;
  GivenObjects given_;
};

}  // namespace jvmdebug::agent::probes
