// SPDX-License-Identifier: Apache-2.0
//
// What the debugger has redefined classes with. JDK-7124710 (up to 19): a class that a hook has
// changed once gets its first class file back when it is retransformed after a redefinition. So the
// hook gives the VM this one. Where the VM remembers itself, nothing is kept here.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include <jvmti.h>

#include "agent/jvm/env.h"
#include "agent/jvm/jni.h"
#include "agent/locks/ranked_mutex.h"

namespace jvmdebug::agent::code {

class RememberedClasses {
 public:
  explicit RememberedClasses(const jvm::Env& env) : env_(env) {}

  [[nodiscard]] bool vm_forgets() const;

  // Any thread, while a class is redefined: what all agents have made of it.
  void note(const jvm::Jni& jni, jclass type, std::span<const std::uint8_t> bytes);
  // Agent threads, when it was redefined: with what was noted last, or else with this.
  void keep(const jvm::Jni& jni, jclass redefined, std::span<const std::uint8_t> bytes);
  // Agent threads: all redefinitions have ended.
  void end();

  // Any thread. None if the class was not redefined.
  [[nodiscard]] std::optional<std::vector<std::uint8_t>> of(const jvm::Jni& jni, jclass type) const;
  [[nodiscard]] bool is_empty() const;

 private:
  struct Redefined {
    jvm::WeakRef type;
    std::vector<std::uint8_t> class_file;
  };

  const jvm::Env& env_;
  mutable RankedMutex<Rank::kCodeChanges> mutex_;
  std::vector<std::shared_ptr<const Redefined>> redefined_;
  std::vector<std::shared_ptr<const Redefined>> seen_;
};

}  // namespace jvmdebug::agent::code
