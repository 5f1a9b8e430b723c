// SPDX-License-Identifier: Apache-2.0
//
// Decides when debugging begins: with the VM (VMInit), at the exception that onthrow= or
// onuncaught= names, or at a jcmd command. Until then the agent costs nothing but its capabilities
// and, while it waits for an exception, that event. Agent::begin does what is needed to begin.
// Called by the callbacks and by main, on threads of the VM.
#pragma once

#include <atomic>
#include <expected>
#include <string>

#include <jni.h>

#include "agent/events/event_set.h"

namespace jvmdebug::agent {

class Agent;

class StartUp {
 public:
  explicit StartUp(Agent& agent) : agent_(agent) {}

  // True when the agent's parts exist and events go to the composer.
  [[nodiscard]] bool has_begun() const { return phase_ == Phase::kBegun; }

  // Handles VMInit. Ends the VM when debugging should begin now and cannot, as the JDK's agent
  // does.
  void vm_initialised(const jvm::Jni& jni, jthread thread);

  // Handles an exception that is thrown before debugging has begun.
  void exception_thrown(const jvm::Jni& jni, const events::Occurrence& occurrence);

  // Begins debugging because jcmd asked for it. Returns whether this was the first time, or why it
  // is not possible.
  std::expected<bool, std::string> command_given(const jvm::Jni& jni, jthread thread);

  // Called when Agent::begin has made everything and is about to wait for the debugger.
  void parts_are_made() { phase_ = Phase::kBegun; }

 private:
  enum class Phase : std::uint8_t { kBeforeVm, kWaiting, kBeginning, kBegun };

  [[nodiscard]] bool is_awaited(const jvm::Jni& jni, const events::Occurrence& occurrence) const;

  Agent& agent_;
  std::atomic<Phase> phase_ = Phase::kBeforeVm;
};

}  // namespace jvmdebug::agent
