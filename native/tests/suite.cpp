// SPDX-License-Identifier: Apache-2.0
#include "tests/suite.h"

#include <exception>
#include <iostream>
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
  std::cerr << where.file_name() << ':' << where.line() << ": " << current_
            << ": failed: " << expression << '\n';
}

int Suite::finish() const {
  std::cout << tests_ << " tests, " << checks_ << " checks, " << failures_ << " failures\n";
  return failures_ == 0 && checks_ > 0 ? 0 : 1;
}

}  // namespace jvmdebug::tests
