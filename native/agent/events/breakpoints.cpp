// SPDX-License-Identifier: Apache-2.0
#include "agent/events/breakpoints.h"

#include <utility>

#include "agent/agent.h"
#include "agent/events/sender.h"

namespace jvmdebug::agent::events {

jvm::Result<void> Breakpoints::want(const CodePlace& place) {
  {
    const std::scoped_lock lock(mutex_);
    ++counts_[place];
  }
  // Asked for in any case: another agent's redefinition may have removed it.
  const auto set = agent_.jvmti().set_breakpoint(place.method, place.index);
  if (set || set.error() == JVMTI_ERROR_DUPLICATE) {
    return {};
  }
  const std::scoped_lock lock(mutex_);
  const auto found = counts_.find(place);
  if (found != counts_.end() && --found->second == 0) {
    counts_.erase(found);
  }
  return set;
}

void Breakpoints::unwant(const CodePlace& place) {
  const std::scoped_lock lock(mutex_);
  const auto found = counts_.find(place);
  if (found == counts_.end() || --found->second > 0) {
    return;
  }
  counts_.erase(found);
  if (!agent_.vm_is_dead()) {
    // Fails when a redefinition has removed it.
    (void)agent_.jvmti().clear_breakpoint(place.method, place.index);
  }
}

void Breakpoints::unwant_soon(std::vector<CodePlace> places) {
  agent_.sender().run_soon(
      [this, given_up = std::move(places)] {
        for (const CodePlace& place : given_up) {
          unwant(place);
        }
      },
      false);
}

}  // namespace jvmdebug::agent::events
