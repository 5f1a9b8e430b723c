// SPDX-License-Identifier: Apache-2.0
#include "agent/code/foreign_wait.h"

#include <mutex>

namespace jvmdebug::agent::code {

bool ForeignWait::is_wanted() {
  const std::scoped_lock lock(mutex_);
  if (left_ > 0) {
    --left_;
  }
  return !is_given_up_;
}

bool ForeignWait::ended(jvm::Result<void> result) {
  const std::scoped_lock lock(mutex_);
  result_ = result;
  changed_.notify_all();
  return is_given_up_;
}

// Gives up only while a transformer may still have a class. Once all have answered, the VM's own
// work is left, which ends.
std::optional<jvm::Result<void>> ForeignWait::wait(std::chrono::milliseconds deadline) {
  std::unique_lock lock(mutex_);
  const auto is_done = [this] { return result_.has_value(); };
  if (!changed_.wait_for(lock, deadline, is_done)) {
    if (left_ > 0) {
      is_given_up_ = true;
      return std::nullopt;
    }
    changed_.wait(lock, is_done);
  }
  return result_;
}

}  // namespace jvmdebug::agent::code
