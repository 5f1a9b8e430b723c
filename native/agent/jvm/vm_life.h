// SPDX-License-Identifier: Apache-2.0
//
// Whether the VM still lives: after VMDeath no call into it is allowed.
#pragma once

#include <atomic>

namespace jvmdebug::agent::jvm {

class VmLife {
 public:
  [[nodiscard]] bool vm_is_dead() const { return is_over_; }

  void end() { is_over_ = true; }

 private:
  std::atomic<bool> is_over_ = false;
};

}  // namespace jvmdebug::agent::jvm
