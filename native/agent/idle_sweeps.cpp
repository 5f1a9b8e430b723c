// SPDX-License-Identifier: Apache-2.0
#include "agent/idle_sweeps.h"

#include <algorithm>

#include "agent/probes/probe_table.h"

namespace jvmdebug::agent {

void IdleSweeps::run_until(probes::ProbeTable& probes, const Wait& has_command) {
  constexpr Clock::duration kFirst = std::chrono::milliseconds{100};
  constexpr Clock::duration kLongest = std::chrono::seconds{10};
  constexpr int kPauseOfSweep = 50;  // a pause is so many times as long as the sweep before it
  if (!probes.needs_sweep()) {
    next_ = Clock::time_point::max();
    return;
  }
  if (next_ == Clock::time_point::max()) {
    pause_ = kFirst;
    next_ = Clock::now() + pause_;
  }
  while (probes.needs_sweep() && !has_command(next_)) {
    const auto begun = Clock::now();
    {
      const std::scoped_lock lock(in_command_);
      probes.sweep();
    }
    const auto ended = Clock::now();
    pause_ = std::max(std::min(2 * pause_, kLongest), kPauseOfSweep * (ended - begun));
    next_ = ended + pause_;
  }
}

}  // namespace jvmdebug::agent
