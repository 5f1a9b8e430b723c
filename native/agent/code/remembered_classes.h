// SPDX-License-Identifier: Apache-2.0
//
// What the debugger has redefined classes with. JDK-7124710 (up to 19): when a class that a hook
// has changed once is redefined and then retransformed, the VM gives it its first class file back.
// So the hook gives the VM the one kept here. Where the VM has no such defect, nothing is kept.
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

  // Notes what all agents have made of a class that is being redefined. Any thread.
  void note(const jvm::Jni& jni, jclass type, std::span<const std::uint8_t> bytes);
  // Keeps what was noted last for a redefined class, or else these bytes. Agent threads.
  void keep(const jvm::Jni& jni, jclass redefined, std::span<const std::uint8_t> bytes);
  // Forgets what was noted and not kept. Called when all redefinitions have ended. Agent threads.
  void end();

  // Returns none if the class was not redefined. Any thread.
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
