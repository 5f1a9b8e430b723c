// SPDX-License-Identifier: Apache-2.0
//
// Takes code that is no longer wanted out of classes in which threads have kept it, while the
// debugger sends nothing. A sweep looks at all stacks, which takes the program time, so the pauses
// between them grow. Used by the session, on the thread that runs commands.
#pragma once

#include <chrono>
#include <functional>
#include <mutex>

#include "agent/locks/ranked_mutex.h"

namespace jvmdebug::agent {

namespace probes {
class ProbeTable;
}  // namespace probes

// Held while a command is carried out.
using CommandLock = RankedMutex<Rank::kCommand, std::timed_mutex>;

class IdleSweeps {
 public:
  using Clock = std::chrono::steady_clock;
  // Waits until there is a command; false at the time of the next sweep.
  using Wait = std::function<bool(Clock::time_point next)>;

  explicit IdleSweeps(CommandLock& in_command) : in_command_(in_command) {}

  // Sweeps until there is a command or nothing to take out.
  void run_until(probes::ProbeTable& probes, const Wait& has_command);

 private:
  CommandLock& in_command_;
  Clock::time_point next_ = Clock::time_point::max();
  Clock::duration pause_{};
};

}  // namespace jvmdebug::agent
