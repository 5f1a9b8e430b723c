// SPDX-License-Identifier: Apache-2.0
//
// The smallest test runner that does: a Suite runs named tests and counts what failed. CHECK goes
// on after a failure, and prints the expression and its place.
//
// To add tests: write `void <topic>_tests(Suite& suite)` in <topic>_test.cpp, declare it in the
// program's main file and call it there.
#pragma once

#include <functional>
#include <source_location>
#include <string_view>

namespace jvmdebug::tests {

class Suite {
 public:
  // Runs one test. An exception that leaves it is a failure.
  void test(std::string_view name, const std::function<void()>& body);

  // Records the outcome of one check of the test that runs now.
  void check(bool passed, std::string_view expression,
             std::source_location where = std::source_location::current());

  // Prints the sum; the exit status of the program.
  [[nodiscard]] int finish() const;

 private:
  std::string_view current_;
  int tests_ = 0;
  int checks_ = 0;
  int failures_ = 0;
};

}  // namespace jvmdebug::tests

// `suite` is in scope in every test.
// NOLINTNEXTLINE(cppcoreguidelines-macro-usage): only a macro has the text of the expression
#define CHECK(expression) suite.check(static_cast<bool>(expression), #expression)
