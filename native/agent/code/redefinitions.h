// SPDX-License-Identifier: Apache-2.0
//
// Theory of operation: redefinitions of classes by the debugger.
//
// The debugger hands over class files. The VM does not always get them as they are, or in one step:
//
// - From JDK 17 on a redefinition that would replace all methods of a class which was changed
//   before takes three steps, like such a change by the agent (see CodeChanges). A class with one
//   method gets another version of it by each redefinition, even with the same code, so that
//   HotSpot never counts an older version as the same.
// - Up to JDK 16 methods that stay the same get deeper operand stacks (RenewingRedefinition).
// - Methods whose own code stays keep the calls that the agent has put into them (HotSwap), where
//   the redefinition takes one step.
//
//     begin()      notes what is known of the classes before, and decides how to redefine them
//     redefine()   makes the steps; the hook calls swapped_in() in each
//     end()        notes what frames run now, and tells the clients of CodeChanges which calls
//                  stayed
//
// Up to JDK 19 the VM forgets what a class was redefined with; RememberedClasses has it.
//
// Threads: begin(), redefine() and end() are for agent threads, one redefinition at a time. The
// functions of SwapHook may be called on any thread, because other agents change classes too.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include <jvmti.h>

#include "agent/code/code_client.h"
#include "agent/code/code_users.h"
#include "agent/code/hot_swap.h"
#include "agent/code/older_versions.h"
#include "agent/code/remembered_classes.h"
#include "agent/code/renewing_redefinition.h"
#include "agent/code/swap_hook.h"
#include "agent/jvm/env.h"
#include "agent/jvm/jni.h"
#include "agent/jvm/result.h"

namespace jvmdebug::agent::code {

class CodeChanges;
class CodeVersions;

class Redefinitions : public SwapHook {
 public:
  // `may_change` is false if the agent was told to leave the code of the program alone.
  Redefinitions(const jvm::Env& env, CodeChanges& changes, CodeVersions& versions, CodeUsers& users,
                bool may_change);

  // --- agent threads, one at a time ----------------------------------------------------------
  void begin(std::span<const jvmtiClassDefinition> classes);
  [[nodiscard]] jvm::Result<void> redefine(std::span<const jvmtiClassDefinition> classes);
  void end(std::span<const jvmtiClassDefinition> classes, bool done);

  // --- any thread ----------------------------------------------------------------------------
  [[nodiscard]] bool is_swapping() const override { return is_on_; }

  void note(const jvm::Jni& jni, jclass type, std::span<const std::uint8_t> bytes) override {
    remembered_.note(jni, type, bytes);
  }

  [[nodiscard]] std::optional<std::vector<std::uint8_t>> swapped_in(
      const jvm::Jni& jni, jclass type, std::span<const std::uint8_t> bytes) override;
  [[nodiscard]] std::optional<std::vector<std::uint8_t>> base(const jvm::Jni& jni,
                                                              jclass type) const override;

  [[nodiscard]] bool has_bases() const override { return !remembered_.is_empty(); }

 private:
  void begin_swap(const jvm::Jni& jni, std::span<const jvmtiClassDefinition> classes);
  [[nodiscard]] bool leaves_some(const jvm::Jni& jni, const jvmtiClassDefinition& wanted,
                                 const CodeMethods& all);
  [[nodiscard]] jvm::Result<void> redefine_stepwise(std::span<const jvmtiClassDefinition> classes);
  [[nodiscard]] std::uint16_t swap_depth(const jvm::Jni& jni, jclass type) const;
  void ended(const jvm::Jni& jni, const ThreadStacks& stacks, jclass type);

  const jvm::Env& env_;
  CodeChanges& changes_;
  CodeVersions& versions_;
  CodeUsers& users_;
  const bool may_change_;
  HotSwap swap_;
  RememberedClasses remembered_;
  std::atomic<bool> is_on_ = false;
  std::vector<CodeMethods> stepwise_;             // of each class; empty for one step
  std::optional<RenewingRedefinition> renewing_;  // up to JDK 16
};

}  // namespace jvmdebug::agent::code
