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
    if (!changing_ && (foreign_changes_ == 0 || left == 1)) {
      return true;
    }
    --setting_;
    if (foreign_changes_ > 0) {
      foreign_look_();
    }
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

void CodeView::begin_foreign_change() {
  ++foreign_changes_;
  wait_for_setting();
}

void CodeView::wait_for_setting() const {
  for (int left = kTries; left > 0 && setting_ > 0; --left) {
    std::this_thread::sleep_for(kPause);
  }
}

}  // namespace jvmdebug::agent::jvm
