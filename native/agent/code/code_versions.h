// SPDX-License-Identifier: Apache-2.0
//
// Which methods have probes in them, as far as somebody has asked: see jvm::CodeView. Remembers
// what it has read from the VM until a class changes.
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

  // Before the first class is changed.
  void begin() { on_ = true; }

  // The code of classes has changed.
  void forget();

  // Whether the debugger is not to know of a class: one of the agent's own.
  [[nodiscard]] bool hides(jclass type) const {
    return (is_on() || has_class_) && is_of_agent(type);
  }

  [[nodiscard]] bool hides(std::string_view signature) const {
    return (is_on() || has_class_) && is_of_agent(signature);
  }

  // A class of the agent is there, though none of the program's is changed.
  void hide() { has_class_ = true; }

  // The debugger has given classes other code: what frames of these methods run has nothing to do
  // with what the methods are now, however alike.
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
  std::uint64_t era_ = 0;  // grows when it forgets
};

}  // namespace jvmdebug::agent::code
