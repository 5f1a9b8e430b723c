// SPDX-License-Identifier: Apache-2.0
//
// Sets aside what a thread keeps of the event that it is in while it runs a method for the
// debugger, and keeps probes from counting what the method does.
#pragma once

#include <memory>

#include "agent/events/breakpoints.h"
#include "agent/events/checks.h"
#include "agent/threads/invocation_scopes.h"

namespace jvmdebug::agent::events {

class InvocationChanges final : public threads::InvocationScopes {
 public:
  InvocationChanges(Breakpoints& breakpoints, Checks& checks)
      : breakpoints_(breakpoints), checks_(checks) {}

  [[nodiscard]] std::unique_ptr<Scope> begin(const jvm::Jni& jni,
                                             const threads::Tracked& self) override;

 private:
  Breakpoints& breakpoints_;
  Checks& checks_;
};

}  // namespace jvmdebug::agent::events
