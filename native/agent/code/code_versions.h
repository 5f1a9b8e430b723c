// SPDX-License-Identifier: Apache-2.0
//
// Tells which methods have probes in them, and which current method an older version is shown as:
// see jvm::CodeView. Remembers what it has read from the VM until a class changes.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include <jvmti.h>

#include "agent/jvm/code_view.h"
#include "agent/jvm/env.h"
#include "agent/locks/ranked_mutex.h"

namespace jvmdebug::agent::code {

class CodeVersions : public jvm::CodeView {
 public:
  explicit CodeVersions(const jvm::Env& env) : env_(env) {}

  // Switches the view on. Called before the first class is changed.
  void begin() { on_ = true; }

  // Forgets what it has read, because the code of classes has changed.
  void forget();

  // Whether the class is one of the agent's own, which the debugger must not see.
  [[nodiscard]] bool hides(jclass type) const {
    return (is_on() || has_class_) && is_of_agent(type);
  }

  [[nodiscard]] bool hides(std::string_view signature) const {
    return (is_on() || has_class_) && is_of_agent(signature);
  }

  // Notes that a class of the agent is defined, although no class of the program is changed.
  void hide() { has_class_ = true; }

  // Notes that the debugger has replaced the code of classes. These versions are not shown as the
  // current methods, however similar their code is.
  void replaced(std::span<const jmethodID> obsolete);

  [[nodiscard]] std::shared_ptr<const Method> method(jmethodID actual) override;

 private:
  class Version;
  using Versions = std::unordered_map<jmethodID, std::shared_ptr<const Version>>;

  [[nodiscard]] std::shared_ptr<const Version> read(jmethodID actual) const;
  [[nodiscard]] bool is_of_agent(jclass type) const;
  [[nodiscard]] static bool is_of_agent(std::string_view signature);
  [[nodiscard]] jmethodID successor(jmethodID old, jclass type,
                                    std::span<const std::uint8_t> code) const;
  [[nodiscard]] std::vector<std::uint8_t> own_code(jmethodID method) const;
  [[nodiscard]] bool was_replaced(jmethodID method) const;

  const jvm::Env& env_;
  std::atomic<bool> has_class_ = false;
  mutable RankedMutex<Rank::kCodeVersions> mutex_;
  std::unordered_set<jmethodID> replaced_;  // by hot swaps
  Versions versions_;
  std::uint64_t era_ = 0;  // increased by forget()
};

}  // namespace jvmdebug::agent::code
