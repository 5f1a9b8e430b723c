// SPDX-License-Identifier: Apache-2.0
//
// What the hook for class files asks about redefinitions by the debugger. Any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <jvmti.h>

#include "agent/jvm/jni.h"

namespace jvmdebug::agent::code {

class SwapHook {
 public:
  SwapHook() = default;
  SwapHook(const SwapHook&) = delete;
  SwapHook& operator=(const SwapHook&) = delete;
  SwapHook(SwapHook&&) = delete;
  SwapHook& operator=(SwapHook&&) = delete;
  virtual ~SwapHook() = default;

  // Whether one goes on.
  [[nodiscard]] virtual bool is_swapping() const = 0;
  // Notes what all agents have made of the class meanwhile.
  virtual void note(const jvm::Jni& jni, jclass type, std::span<const std::uint8_t> bytes) = 0;
  // Returns what the VM is to take for the class; none: what all agents have made.
  [[nodiscard]] virtual std::optional<std::vector<std::uint8_t>> swapped_in(
      const jvm::Jni& jni, jclass type, std::span<const std::uint8_t> bytes) = 0;
  // The class file that the class has now, where the VM would give an older one.
  [[nodiscard]] virtual std::optional<std::vector<std::uint8_t>> base(const jvm::Jni& jni,
                                                                      jclass type) const = 0;
  // Whether there is any such class.
  [[nodiscard]] virtual bool has_bases() const = 0;
};

}  // namespace jvmdebug::agent::code
