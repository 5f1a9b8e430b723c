// SPDX-License-Identifier: Apache-2.0
//
// The end of exceptions in what the VM calls: none crosses JVM TI, nor ends a thread of the agent.
#pragma once

#include <cstdio>
#include <exception>

namespace jvmdebug::agent::jvm {

// Runs `body`; an exception ends it and is reported on stderr.
template <class Body>
void contain_exceptions(const char* what_failed, Body body) noexcept {
  try {
    body();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "jvmdebug: %s: %s\n", what_failed, error.what());
  } catch (...) {
    std::fprintf(stderr, "jvmdebug: %s\n", what_failed);
  }
}

}  // namespace jvmdebug::agent::jvm
