// SPDX-License-Identifier: Apache-2.0
#include "agent/probes/code_surroundings.h"

#include <utility>
#include <vector>

#include "agent/events/breakpoints.h"
#include "agent/events/sender.h"
#include "agent/probes/old_frames.h"

namespace jvmdebug::agent::probes {
namespace {

class Removed : public code::CodeUsers::SetAside {
 public:
  Removed(events::Breakpoints& breakpoints, std::span<const jvm::LocalRef<jclass>> types)
      : breakpoints_(breakpoints), removed_(breakpoints.remove_before_redefinition(types)) {}

  Removed(const Removed&) = delete;
  Removed& operator=(const Removed&) = delete;
  Removed(Removed&&) = delete;
  Removed& operator=(Removed&&) = delete;

  ~Removed() override { breakpoints_.restore(removed_); }

 private:
  events::Breakpoints& breakpoints_;
  const std::vector<std::pair<events::CodeLocation, int>> removed_;
};

}  // namespace

std::unique_ptr<code::CodeUsers::SetAside> CodeSurroundings::set_aside(
    std::span<const jvm::LocalRef<jclass>> types) {
  return std::make_unique<Removed>(breakpoints_, types);
}

jvm::Result<void> CodeSurroundings::while_changing(
    const std::function<jvm::Result<void>()>& change) {
  const events::Breakpoints::Redefining redefining(breakpoints_);
  return change();
}

std::optional<code::ThreadStacks> CodeSurroundings::stacks(const jvm::Jni& jni) const {
  return old_frames_.stacks(jni);
}

code::ThreadStacks CodeSurroundings::stacks_or_known(const jvm::Jni& jni) const {
  return old_frames_.stacks_or_known(jni);
}

void CodeSurroundings::code_changed(const jvm::Jni& jni, const code::ThreadStacks& stacks) {
  old_frames_.look(jni, stacks);
}

void CodeSurroundings::run_soon(std::function<void()> work) {
  sender_.run_soon(std::move(work), false);
}

}  // namespace jvmdebug::agent::probes
