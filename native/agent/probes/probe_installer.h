// SPDX-License-Identifier: Apache-2.0
//
// Gives requests probes, changes their checks, and takes probes away. If something fails, the VM
// reports the request by a breakpoint of its own. Agent threads, one at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <jvmti.h>

#include "agent/code/code_changes.h"
#include "agent/events/request_table.h"
#include "agent/jvm/env.h"
#include "agent/jvm/jni.h"
#include "agent/probes/probe_specs.h"
#include "agent/probes/probed_class.h"

namespace jvmdebug::agent::events {
class Breakpoints;
}

namespace jvmdebug::agent::probes {

class ChangeLimits;
class CheckCode;
class CheckFrames;
class LogPoints;
class OldFrames;
class ProbeCalls;
class ProbeList;
class ProbeMaker;
class ProbesTogether;

class ProbeInstaller {
 public:
  struct Parts {
    code::CodeChanges& changes;
    events::Breakpoints& breakpoints;
    const OldFrames& old_frames;
    ProbeList& list;
    ProbeCalls& calls;
    ProbesTogether& together;
    ProbeMaker& maker;
    CheckCode& checks;
    CheckFrames& frames;
    const ChangeLimits& limits;
    LogPoints& log;
  };

  ProbeInstaller(const jvm::Env& env, const Parts& parts) : env_(env), parts_(parts) {}

  // Gives the request a probe. The error is the reason, for people; nothing has changed then.
  [[nodiscard]] Outcome install(const events::Request& request, const ProbeSpec& spec);
  // Puts the deferred probes of these requests in, by one change of each class if possible.
  [[nodiscard]] std::vector<Refusal> complete(std::span<const std::int32_t> request_ids);
  // Replaces the check of a request. `calls_methods`: whether the new check does. `given`: objects
  // for its static fields, behind the first `kept`.
  [[nodiscard]] Outcome change(const events::Request& request,
                               const std::vector<std::uint8_t>& class_file, bool calls_methods,
                               std::span<const Given> given, std::size_t kept);
  // Has the checks of these requests do nothing from now on.
  void silence(std::span<const events::Request> requests);
  // Ends the probe of a request, if it has one. The request is about to be cleared, or the VM
  // reports it from now on.
  void remove(const events::Request& request);

 private:
  [[nodiscard]] Outcome prepare_for(const jvm::Jni& jni, const events::Request& request,
                                    const ProbeSpec& spec);
  [[nodiscard]] Outcome put_in(const jvm::Jni& jni, const events::Request& request,
                               const ProbeSpec& spec, const Probes& probes, const Probes& before);

  const jvm::Env& env_;
  const Parts parts_;
};

}  // namespace jvmdebug::agent::probes
