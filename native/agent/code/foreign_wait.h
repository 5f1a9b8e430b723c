// SPDX-License-Identifier: Apache-2.0
//
// A change of classes that may have to wait for transformers of the program. A transformer may need
// a class that another thread is initializing, and that thread may wait for the debugger. So the
// change runs on a thread of its own, and the caller waits for a limited time. After it has given
// up, the agent's hook refuses the classes, so that nothing changes later. Used by LateEnvironment.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>

#include "agent/jvm/env.h"
#include "agent/locks/ranked_mutex.h"

namespace jvmdebug::agent::code {

class ForeignWait {
 public:
  explicit ForeignWait(std::size_t classes) : left_(classes) {}

  // --- on the thread of its own --------------------------------------------------------------
  // Returns whether a class may still be changed. Called by the hook, after the transformers, once
  // for each class.
  [[nodiscard]] bool is_wanted();
  // Ends the change. Returns whether the caller had already given up.
  [[nodiscard]] bool ended(jvm::Result<void> result);

  // --- on the thread that asks ---------------------------------------------------------------
  // Waits for the result. None if the wait was given up, because some class was still with the
  // transformers at the deadline.
  [[nodiscard]] std::optional<jvm::Result<void>> wait(std::chrono::milliseconds deadline);

 private:
  RankedMutex<Rank::kForeignWait> mutex_;
  Condition changed_;
  std::size_t left_;
  bool is_given_up_ = false;
  std::optional<jvm::Result<void>> result_;
};

}  // namespace jvmdebug::agent::code
