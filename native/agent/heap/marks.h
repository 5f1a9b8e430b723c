// SPDX-License-Identifier: Apache-2.0
//
// Objects that the debugger has marked: when one is collected, the debugger is told. A mark is a
// tag in a separate environment, because the tags of the main one are the object ids; it does not
// keep the object alive. Nothing is done before the first mark. Called by the commands Heap.Mark
// and Heap.Unmark.
#pragma once

#include <cstdint>
#include <memory>
#include <unordered_set>
#include <vector>

#include <jvmti.h>

#include "agent/events/event_set.h"
#include "agent/jvm/env.h"
#include "agent/locks/ranked_mutex.h"

namespace jvmdebug::agent {
class Agent;
}

namespace jvmdebug::agent::heap {

class Marks {
 public:
  explicit Marks(Agent& agent) : agent_(agent) {}

  // Marks an object and returns the number of the mark. Both functions are called on the thread
  // that runs commands.
  [[nodiscard]] jvm::Result<std::int64_t> mark(jobject object);
  void unmark(std::int64_t number);
  // Removes all marks when the debugger has disconnected.
  void clear();
  // Stops the events; callbacks that have begun may still run.
  void stop();

 private:
  static void JNICALL object_freed(jvmtiEnv* raw, jlong tag);

  [[nodiscard]] jvm::Result<void> start();
  void freed(jlong tag);
  void tell();

  Agent& agent_;
  std::unique_ptr<jvm::Env> env_;
  // Taken in the ObjectFree event, perhaps while the VM is stopped, so no call into the VM is made
  // while it is held.
  RankedMutex<Rank::kHeapEvents> mutex_;
  std::unordered_set<jlong> marked_;
  std::vector<std::int64_t> dead_;  // not reported yet
  events::DebuggerNumber debugger_ = 0;
  jlong next_tag_ = 1;
};

}  // namespace jvmdebug::agent::heap
