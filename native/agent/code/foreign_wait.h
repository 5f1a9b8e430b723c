// SPDX-License-Identifier: Apache-2.0
//
// A change of classes that may have to wait for transformers of the program: one of them may need a
// class that a thread is about to initialize, and that thread may wait for the debugger. So it runs
// on a thread of its own, and whoever asks for it does not wait for ever. Once it is given up, the
// agent's hook refuses the classes: nothing is changed later. Used by LateEnvironment.
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
  // In the hook, behind the transformers, once for each class: whether it may still be changed.
  [[nodiscard]] bool is_wanted();
  // Whether nobody waited any more.
  [[nodiscard]] bool ended(jvm::Result<void> result);

  // --- on the thread that asks ---------------------------------------------------------------
  // Nothing: given up, as some class was still with the transformers at the deadline.
  [[nodiscard]] std::optional<jvm::Result<void>> wait(std::chrono::milliseconds deadline);

 private:
  RankedMutex<Rank::kForeignWait> mutex_;
  Condition changed_;
  std::size_t left_;
  bool is_given_up_ = false;
  std::optional<jvm::Result<void>> result_;
};

}  // namespace jvmdebug::agent::code
