// SPDX-License-Identifier: Apache-2.0
//
// Things that are undone when a scope is left, also by an exception.
#pragma once

#include <utility>

namespace jvmdebug::agent {

// Calls a function at the end of the scope. It must not throw.
template <class Function>
class AtExit {
 public:
  explicit AtExit(Function function) : function_(std::move(function)) {}

  AtExit(const AtExit&) = delete;
  AtExit& operator=(const AtExit&) = delete;
  AtExit(AtExit&&) = delete;
  AtExit& operator=(AtExit&&) = delete;

  ~AtExit() { function_(); }

 private:
  Function function_;
};

// Gives a variable another value for the scope.
template <class T>
class ScopedValue {
 public:
  ScopedValue(T& variable, T value)
      : variable_(variable), before_(std::exchange(variable, std::move(value))) {}

  ScopedValue(const ScopedValue&) = delete;
  ScopedValue& operator=(const ScopedValue&) = delete;
  ScopedValue(ScopedValue&&) = delete;
  ScopedValue& operator=(ScopedValue&&) = delete;

  ~ScopedValue() { variable_ = std::move(before_); }

  // The value of the variable outside of the scope.
  [[nodiscard]] const T& before() const { return before_; }

 private:
  T& variable_;
  T before_;
};

}  // namespace jvmdebug::agent
