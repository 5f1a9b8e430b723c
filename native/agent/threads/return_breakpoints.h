// SPDX-License-Identifier: Apache-2.0
//
// Reports that a frame was left, by breakpoints of the agent where its callers continue
// (return_locations.h) instead of by frame pop events, whose capability makes the program's
// exceptions slow (ADR 6). Any thread in any frame can hit such a breakpoint. A hit counts for a
// step only on the step's thread and with fewer frames than the step has seen, so recursion and
// other threads pass. The breakpoints stay while a thread makes one step after another, since the
// handlers of its callers remain the same, and are removed when it is resumed without a step.
#pragma once

#include <atomic>
#include <unordered_map>
#include <vector>

#include "agent/locks/ranked_mutex.h"
#include "agent/threads/breakpoint_setter.h"
#include "agent/threads/frame_exits.h"
#include "agent/threads/return_locations.h"

namespace jvmdebug::agent::threads {

class Suspension;
class ThreadRegistry;

class ReturnBreakpoints : public FrameExits {
 public:
  ReturnBreakpoints(const jvm::Env& env, const ThreadRegistry& registry, Suspension& suspension,
                    BreakpointSetter& breakpoints);

  [[nodiscard]] jvm::Result<void> watch_own_frame(const Tracked& thread, jthread where,
                                                  Step& step) override;
  [[nodiscard]] jvm::Result<void> watch_callee(const Tracked& thread, jthread where,
                                               Step& step) override;
  [[nodiscard]] Exit exit_at_breakpoint(const Step& step, jmethodID method,
                                        jlocation index) const override;
  [[nodiscard]] bool are_left_at_entry(const Step& step, jmethodID method) const override;
  void drop_idle() override;
  void thread_ended(const Tracked& self) override;
  [[nodiscard]] std::vector<Tracked> before_redefinition() override;
  void after_redefinition(const std::vector<Tracked>& held) override;

 private:
  [[nodiscard]] jvm::Result<void> watch(const Tracked& thread, jthread where, Step& step);
  [[nodiscard]] jvm::Result<void> add(const Tracked& thread, const jvm::CodeLocations& wanted,
                                      unsigned generation);
  [[nodiscard]] bool is_of_throwable(jmethodID method) const;
  [[nodiscard]] jvm::CodeLocations take(const Tracked& thread);
  void remove(const jvm::CodeLocations& locations);

  const jvm::Env& env_;
  const ThreadRegistry& registry_;
  Suspension& suspension_;
  BreakpointSetter& breakpoints_;
  std::atomic<unsigned> redefinitions_ = 0;
  RankedMutex<Rank::kReturnBreakpoints> mutex_;  // no call into the VM under it
  std::unordered_map<Tracked, jvm::CodeLocations> locations_;
};

}  // namespace jvmdebug::agent::threads
