// SPDX-License-Identifier: Apache-2.0
#include "tests/fake_vm/failures.h"

namespace jvmdebug::fake {
namespace {

struct State {
  bool limited = false;
  int passing = 0;
  int own = 0;
  bool failed = false;
};

// NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables): operator new has no argument
thread_local State state;

}  // namespace

OutOfMemory::OutOfMemory(int passing) {
  state = {.limited = true, .passing = passing, .own = 0, .failed = false};
}

OutOfMemory::~OutOfMemory() {
  state.limited = false;
}

bool OutOfMemory::happened() {
  return state.failed;
}

OwnMemory::OwnMemory() {
  ++state.own;
}

OwnMemory::~OwnMemory() {
  --state.own;
}

bool allocation_fails() noexcept {
  if (!state.limited || state.own > 0 || state.passing-- > 0) {
    return false;
  }
  state.passing = 0;
  state.failed = true;
  return true;
}

}  // namespace jvmdebug::fake
