// SPDX-License-Identifier: Apache-2.0
//
// A cache of throws that no request matches, by the class of the exception and the frames that
// decided it: from where it is thrown down to where it is caught. The same frames decide the same
// again, so a program that throws and catches often pays for the examination of a stack once. The
// class of throw_hook.h has its own such table, for exceptions with a stack trace; this one has the
// others. Of bounded size; has 64-bit hashes, not the frames. On any thread; takes no lock.
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
  // Decisions are valid for one generation: until requests, code or classes change.
  using Generation = std::uint64_t;

  [[nodiscard]] Generation generation() const { return generation_; }

  // Requests, code or classes have changed.
  void forget() { ++generation_; }

  // Whether this generation has a decision for the class (`type_hash`) and the frames from `first`
  // on.
  [[nodiscard]] bool contains(Generation generation, std::uint32_t type_hash, Stack& stack,
                              std::size_t first);

  // The frames from `first` to `last` decided it, or all from `first` on if there are fewer.
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
