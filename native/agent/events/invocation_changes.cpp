// SPDX-License-Identifier: Apache-2.0
#include "agent/events/invocation_changes.h"

#include "agent/scope.h"

namespace jvmdebug::agent::events {
namespace {

class EventSetAside final : public threads::InvocationScopes::Scope {
 public:
  EventSetAside(Breakpoints& breakpoints, Checks& checks, const jvm::Jni& jni,
                threads::TrackedThread& self)
      : pending_(self.pending, {}),
        at_breakpoint_(self.at_breakpoint, {}),
        not_in_event_(breakpoints, at_breakpoint_.before()),
        for_debugger_(checks.run_for_debugger(jni)) {}

 private:
  const ScopedValue<EventSet> pending_;
  const ScopedValue<CodeLocation> at_breakpoint_;
  const InvocationScope not_in_event_;
  const std::unique_ptr<Checks::Run> for_debugger_;
};

}  // namespace

std::unique_ptr<threads::InvocationScopes::Scope> InvocationChanges::begin(
    const jvm::Jni& jni, const threads::Tracked& self) {
  return std::make_unique<EventSetAside>(breakpoints_, checks_, jni, *self);
}

}  // namespace jvmdebug::agent::events
