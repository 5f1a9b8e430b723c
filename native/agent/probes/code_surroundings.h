// SPDX-License-Identifier: Apache-2.0
//
// Gives CodeChanges what it needs of the rooms above it: breakpoints of the VM, and OldFrames.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>

#include "agent/code/code_users.h"
#include "agent/jvm/jni.h"
#include "agent/jvm/result.h"

namespace jvmdebug::agent::events {
class Breakpoints;
class Sender;
}  // namespace jvmdebug::agent::events

namespace jvmdebug::agent::probes {

class OldFrames;

class CodeSurroundings : public code::CodeUsers {
 public:
  CodeSurroundings(events::Breakpoints& breakpoints, OldFrames& old_frames, events::Sender& sender)
      : breakpoints_(breakpoints), old_frames_(old_frames), sender_(sender) {}

  [[nodiscard]] std::unique_ptr<SetAside> set_aside(
      std::span<const jvm::LocalRef<jclass>> types) override;
  [[nodiscard]] jvm::Result<void> while_changing(
      const std::function<jvm::Result<void>()>& change) override;
  [[nodiscard]] std::optional<code::ThreadStacks> stacks(const jvm::Jni& jni) const override;
  [[nodiscard]] code::ThreadStacks stacks_or_known(const jvm::Jni& jni) const override;
  void code_changed(const jvm::Jni& jni, const code::ThreadStacks& stacks) override;
  void run_soon(std::function<void()> work) override;

 private:
  events::Breakpoints& breakpoints_;
  OldFrames& old_frames_;
  events::Sender& sender_;
};

}  // namespace jvmdebug::agent::probes
