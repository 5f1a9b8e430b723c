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

  // Whether a redefinition is going on.
  [[nodiscard]] virtual bool is_swapping() const = 0;
  // Notes what all agents have made of a class during a redefinition.
  virtual void note(const jvm::Jni& jni, jclass type, std::span<const std::uint8_t> bytes) = 0;
  // Returns what the VM takes for the class; none for what all agents have made.
  [[nodiscard]] virtual std::optional<std::vector<std::uint8_t>> swapped_in(
      const jvm::Jni& jni, jclass type, std::span<const std::uint8_t> bytes) = 0;
  // Returns the current class file of a class where the VM would give an older one.
  [[nodiscard]] virtual std::optional<std::vector<std::uint8_t>> base(const jvm::Jni& jni,
                                                                      jclass type) const = 0;
  // Whether base() has an answer for any class.
  [[nodiscard]] virtual bool has_bases() const = 0;
};

}  // namespace jvmdebug::agent::code
