// SPDX-License-Identifier: Apache-2.0
//
// Agent_OnAttach: loads the agent into a running VM for one debugger, and the agent ends with it.
// It can be loaded again afterwards; the library stays in the process, because HotSpot never
// unloads one. An agent that a debugger is attached to, or that was loaded at the VM's start, is
// not loaded a second time. The command Agent.Capabilities tells what the VM refuses to such an
// agent.
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
  // The agent property that holds the reason when attach() returns false; without quiet=y the
  // reason is also written to stderr.
  static constexpr const char* kReasonProperty = "jvmdebug.refused";

  // Loads the agent, which then listens as the options say. On the VM's attach thread.
  [[nodiscard]] bool attach(JavaVM* vm, const char* options, bool is_loaded_since_start);

  // The agent while it serves a debugger, else null. For callers that are counted
  // (events::CallbackPresence).
  [[nodiscard]] Agent* agent() const { return agent_; }

 private:
  enum class State : std::uint8_t { kNone, kServing, kEnding };

  [[nodiscard]] std::expected<void, std::string> begin(JavaVM* vm, const char* text);
  [[nodiscard]] std::expected<void, std::string> reserve();

  std::atomic<State> state_ = State::kNone;
  std::atomic<Agent*> agent_ = nullptr;
};

}  // namespace jvmdebug::agent
