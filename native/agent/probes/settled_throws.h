// SPDX-License-Identifier: Apache-2.0
//
// Exceptions that nobody wants to hear of, by their class and the frames that decided it: where
// they are thrown, and down to where they are caught. The same stack decides the same again, so a
// program that throws and catches all the time pays for looking at a stack once. The class of
// throw_hook.h has its own such table, for exceptions with a stack trace; here are the others. Of
// bounded size; keeps hashes of 64 bits and not what they stand for. On any thread; takes no lock.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include <jvmti.h>

namespace jvmdebug::agent::probes {

class Stack;

class SettledThrows {
 public:
  // What a decision holds for: until something changes on which decisions depend.
  using Era = std::uint64_t;

  [[nodiscard]] Era era() const { return era_; }

  // Requests, code or classes have changed: nothing is settled any more.
  void forget() { ++era_; }

  // Whether it was settled in this era for an exception of the class (`type_hash`), and a stack of
  // which the frames from `first` on are the same as far as they counted.
  [[nodiscard]] bool contains(Era era, std::uint32_t type_hash, Stack& stack, std::size_t first);

  // The frames from `first` to `last` have decided it; to the end of the stack when `last` is
  // behind it.
  void add(Era era, std::uint32_t type_hash, Stack& stack, std::size_t first, std::size_t last);

 private:
  static constexpr std::size_t kSize = 16'384;
  static constexpr std::size_t kTries = 4;

  [[nodiscard]] bool has(std::uint64_t hash) const;

  std::atomic<Era> era_ = 1;
  std::array<std::atomic<std::uint64_t>, kSize> hashes_{};  // 0: free
};

}  // namespace jvmdebug::agent::probes
