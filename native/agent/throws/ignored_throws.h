// SPDX-License-Identifier: Apache-2.0
//
// A cache of throws that no request matches, by the class of the exception and the frames that
// decided it: from the one that throws it to the one that catches it. The same frames lead to the
// same decision, so a program that often throws and catches pays for examining a stack once.
// JvmdebugThrows (throw_hook.h) has such a table of its own for exceptions with a stack trace; this
// one has the others. It has a fixed size and keeps 64-bit hashes, not the frames. Any thread;
// takes no lock.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include <jvmti.h>

namespace jvmdebug::agent::throws {

class Stack;

class IgnoredThrows {
 public:
  // The number of a generation. Decisions are valid for one: until requests, code or classes
  // change.
  using Generation = std::uint64_t;

  [[nodiscard]] Generation generation() const { return generation_; }

  // Begins a new generation, because requests, code or classes have changed.
  void forget() { ++generation_; }

  // Whether this generation has a decision for the class (`type_hash`) and the frames from `first`
  // on.
  [[nodiscard]] bool contains(Generation generation, std::uint32_t type_hash, Stack& stack,
                              std::size_t first);

  // Adds a decision that the frames from `first` to `last` have made, or all frames from `first` on
  // if there are fewer.
  void add(Generation generation, std::uint32_t type_hash, Stack& stack, std::size_t first,
           std::size_t last);

 private:
  static constexpr std::size_t kSize = 16'384;
  static constexpr std::size_t kTries = 4;

  [[nodiscard]] bool has(std::uint64_t hash) const;

  std::atomic<Generation> generation_ = 1;
  std::array<std::atomic<std::uint64_t>, kSize> hashes_{};  // 0: free
};

}  // namespace jvmdebug::agent::throws
