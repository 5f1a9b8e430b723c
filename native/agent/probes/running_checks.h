// SPDX-License-Identifier: Apache-2.0
//
// Finds the threads that are in checks which call methods of the program. They may stay there for
// ever, and the debugger tells the user. Each thread with a frame of a check is suspended for a
// moment while it is looked at. Agent threads.
#pragma once

#include <optional>
#include <vector>

#include "agent/jvm/env.h"
#include "agent/jvm/jni.h"
#include "agent/probes/probe_specs.h"
#include "agent/threads/tracked_thread.h"

namespace jvmdebug::agent::code {
class CodeVersions;
}

namespace jvmdebug::agent::threads {
class Suspension;
class ThreadRegistry;
}  // namespace jvmdebug::agent::threads

namespace jvmdebug::agent::probes {

class CheckFrames;
class CheckGuard;
class ProbeList;

class RunningChecks {
 public:
  struct Threads {
    threads::ThreadRegistry& threads;
    threads::Suspension& suspension;
    code::CodeVersions& versions;
  };

  RunningChecks(const jvm::Env& env, const ProbeList& probes, const CheckFrames& frames,
                const CheckGuard& guard, const Threads& threads)
      : env_(env),
        probes_(probes),
        frames_(frames),
        guard_(guard),
        threads_(threads.threads),
        suspension_(threads.suspension),
        versions_(threads.versions) {}

  // Looks at platform threads, and at virtual threads that the agent knows.
  [[nodiscard]] std::vector<RunningCheck> find() const;

 private:
  [[nodiscard]] std::optional<RunningCheck> check_of(const jvm::Jni& jni,
                                                     const threads::Tracked& thread) const;

  const jvm::Env& env_;
  const ProbeList& probes_;
  const CheckFrames& frames_;
  const CheckGuard& guard_;
  threads::ThreadRegistry& threads_;
  threads::Suspension& suspension_;
  code::CodeVersions& versions_;
};

}  // namespace jvmdebug::agent::probes
