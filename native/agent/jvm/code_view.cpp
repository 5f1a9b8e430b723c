// SPDX-License-Identifier: Apache-2.0
#include "agent/jvm/code_view.h"

#include <chrono>
#include <thread>

namespace jvmdebug::agent::jvm {
namespace {

// A change may wait for threads of the program, which wait here, so neither may wait for ever.
constexpr int kTries = 400;
constexpr std::chrono::microseconds kPause{500};

}  // namespace

bool CodeView::begin_setting() {
  for (int left = kTries; left > 0; --left) {
    ++setting_;
    if (!changing_) {
      return true;
    }
    --setting_;
    std::this_thread::sleep_for(kPause);
  }
  return false;
}

bool CodeView::begin_change() {
  changing_ = true;
  for (int left = kTries; left > 0; --left) {
    if (setting_ == 0) {
      return true;
    }
    std::this_thread::sleep_for(kPause);
  }
  changing_ = false;
  return false;
}

}  // namespace jvmdebug::agent::jvm
