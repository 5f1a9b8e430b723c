// SPDX-License-Identifier: Apache-2.0
//
// Sets breakpoints again after other agents have changed their classes.
//
// HotSpot clears all breakpoints of a class that is redefined or retransformed, whoever asks for
// it, and tells nobody: with the JDK's own agent they are lost. No event follows a change, and the
// hook that comes before one would slow down the loading of all classes. So the sender's thread
// reads from time to time how often each class with a breakpoint was changed, which the VM counts
// for reflection. It does so every few milliseconds once the library of java.lang.instrument is in
// the process, and seldom before: few agents do without. What passes a breakpoint between the
// change and the next look is not reported.
//
// A breakpoint that would do harm in the class as it is now stays away, see
// Breakpoints::would_harm(): up to JDK 16 all of a class that another agent has changed, later
// those at accesses to fields. Probes need none of this, they are put into the new code as it is
// loaded.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <vector>

#include <jvmti.h>

#include "agent/jvm/env.h"
#include "agent/jvm/jni.h"
#include "agent/jvm/vm_life.h"

namespace jvmdebug::agent::events {

class Breakpoints;

class ForeignChanges {
 public:
  ForeignChanges(const jvm::Env& env, Breakpoints& breakpoints, const jvm::VmLife& life)
      : env_(env), breakpoints_(breakpoints), life_(life) {}

  // Sets breakpoints again in classes that have changed since the last call. Returns when to look
  // again; nothing while there are no breakpoints. On the sender's thread.
  [[nodiscard]] std::optional<std::chrono::milliseconds> look();

 private:
  // A class with breakpoints, and how often it had been changed at the last look; nothing if there
  // was none.
  struct Known {
    jvm::WeakRef type;
    std::optional<jint> times;
  };

  void find_classes();

  const jvm::Env& env_;
  Breakpoints& breakpoints_;
  const jvm::VmLife& life_;
  std::vector<Known> known_;
  std::uint64_t generation_ = 0;  // of the breakpoints that `known_` is of
  bool has_instrument_ = false;
};

}  // namespace jvmdebug::agent::events
