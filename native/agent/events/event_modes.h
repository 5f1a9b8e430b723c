// SPDX-License-Identifier: Apache-2.0
//
// Which JVM TI events are switched on for requests, counted: several requests may need the same.
// Events of one thread are asked for on that thread only, where the VM can do so, because method
// and step events cost everybody else a lot. Those that steps need as well, the Stepper switches.
// Agent threads only.
#pragma once

#include <map>
#include <utility>

#include <jvmti.h>

#include "agent/jvm/env.h"
#include "agent/threads/thread_registry.h"

namespace jvmdebug::agent {
class Agent;
}

namespace jvmdebug::agent::events {

class EventModes {
 public:
  explicit EventModes(Agent& agent);

  // thread null: on all threads.
  [[nodiscard]] jvm::Result<void> want(jvmtiEvent event, const threads::Tracked& thread);
  void unwant(jvmtiEvent event, const threads::Tracked& thread);

 private:
  [[nodiscard]] jvm::Result<void> want_for_all(jvmtiEvent event);
  [[nodiscard]] jvm::Result<void> want_for_one(jvmtiEvent event, const threads::Tracked& thread);

  using Key = std::pair<jvmtiEvent, threads::Tracked>;

  struct Wish {
    int count = 0;
    bool for_all = false;  // switched on for all threads
  };

  Agent& agent_;
  const jvm::Env& env_;
  std::map<Key, Wish> wanted_;
  std::map<jvmtiEvent, int> for_all_;
};

}  // namespace jvmdebug::agent::events
