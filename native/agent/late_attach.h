// SPDX-License-Identifier: Apache-2.0
//
// Agent_OnAttach: the agent is loaded into a VM that runs, for one debugger, and ends with it. It
// can be loaded again afterwards; the library stays in the process, as HotSpot unloads none. One
// that a debugger is attached to, or that has been there since the VM's start, is loaded no second
// time. What the VM refuses to such an agent is said by Agent.Capabilities.
#pragma once

#include <atomic>
#include <cstdint>
#include <expected>
#include <string>

#include <jni.h>

namespace jvmdebug::agent {

class Agent;

class LateAttach {
 public:
  // The agent property that has the reason when attach() is false; without quiet=y it
  // is on stderr too.
  static constexpr const char* kReasonProperty = "jvmdebug.refused";

  // Loads the agent, which then listens as the options say. On the VM's attach thread.
  [[nodiscard]] bool attach(JavaVM* vm, const char* options, bool is_loaded_since_start);

  // The agent while it serves a debugger, else null. For who is counted (events::CallbackPresence).
  [[nodiscard]] Agent* agent() const { return agent_; }

 private:
  enum class State : std::uint8_t { kNone, kServing, kEnding };

  [[nodiscard]] std::expected<void, std::string> begin(JavaVM* vm, const char* text);
  [[nodiscard]] std::expected<void, std::string> reserve();

  std::atomic<State> state_ = State::kNone;
  std::atomic<Agent*> agent_ = nullptr;
};

}  // namespace jvmdebug::agent
