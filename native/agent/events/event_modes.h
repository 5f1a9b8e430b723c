// SPDX-License-Identifier: Apache-2.0
//
// The JVM TI events that are enabled for requests, with reference counts: several requests may need
// the same. Events of one thread are enabled for that thread only, where the VM can do so, because
// method and step events are expensive. The Stepper enables those that steps need as well.
// Agent threads only. It has a lock of its own: arming a request may change classes, and clearing
// breakpoints before that needs the events of breakpoints.
#pragma once

#include <map>
#include <utility>

#include <jvmti.h>

#include "agent/jvm/env.h"
#include "agent/locks/ranked_mutex.h"
#include "agent/threads/thread_registry.h"

namespace jvmdebug::agent::threads {
class Stepper;
}

namespace jvmdebug::agent::events {

class EventModes {
 public:
  EventModes(const jvm::Env& env, threads::Stepper& stepper) : env_(env), stepper_(stepper) {}

  // Enables an event; on all threads if `thread` is null.
  [[nodiscard]] jvm::Result<void> enable(jvmtiEvent event, const threads::Tracked& thread);
  void disable(jvmtiEvent event, const threads::Tracked& thread);

 private:
  [[nodiscard]] jvm::Result<void> enable_for_all(jvmtiEvent event);
  [[nodiscard]] jvm::Result<void> enable_for_thread(jvmtiEvent event,
                                                    const threads::Tracked& thread);

  using Key = std::pair<jvmtiEvent, threads::Tracked>;

  struct EnabledEvent {
    int count = 0;
    bool for_all = false;  // enabled for all threads
  };

  const jvm::Env& env_;
  threads::Stepper& stepper_;
  RankedMutex<Rank::kEventModes> mutex_;
  std::map<Key, EnabledEvent> enabled_;
  std::map<jvmtiEvent, int> for_all_;
};

}  // namespace jvmdebug::agent::events
