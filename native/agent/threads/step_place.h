// SPDX-License-Identifier: Apache-2.0
//
// The place where the current thread is in an event, as the Stepper sees it. Implemented by
// events::Match.
#pragma once

#include "agent/jvm/code_location.h"

namespace jvmdebug::agent::threads {

class Step;

class StepPlace {
 public:
  StepPlace() = default;
  StepPlace(const StepPlace&) = delete;
  StepPlace& operator=(const StepPlace&) = delete;
  virtual ~StepPlace() = default;

  // The location; an index of -1 in a native method.
  [[nodiscard]] virtual jvm::CodeLocation location() const = 0;
  // Whether the class filters of the step's request let the step stop there. False when the request
  // is gone.
  [[nodiscard]] virtual bool lets_stop(const Step& step) = 0;
};

}  // namespace jvmdebug::agent::threads
