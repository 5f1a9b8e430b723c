// SPDX-License-Identifier: Apache-2.0
#include "tests/suite.h"

#include <cstdio>
#include <exception>
#include <string>

namespace jvmdebug::tests {

void Suite::test(std::string_view name, const std::function<void()>& body) {
  current_ = name;
  ++tests_;
  try {
    body();
  } catch (const std::exception& error) {
    check(false, std::string("an exception left the test: ") + error.what());
  }
}

void Suite::check(bool passed, std::string_view expression, std::source_location where) {
  ++checks_;
  if (passed) {
    return;
  }
  ++failures_;
  std::fprintf(stderr, "%s:%u: %.*s: failed: %.*s\n", where.file_name(), where.line(),
               static_cast<int>(current_.size()), current_.data(),
               static_cast<int>(expression.size()), expression.data());
}

int Suite::finish() const {
  std::printf("%d tests, %d checks, %d failures\n", tests_, checks_, failures_);
  return failures_ == 0 && checks_ > 0 ? 0 : 1;
}

}  // namespace jvmdebug::tests
