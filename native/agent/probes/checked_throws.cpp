// SPDX-License-Identifier: Apache-2.0
//
// ThrowWatch: what is going to be thrown, reported before it is, as the code says that throws it,
// or that has made it.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "agent/agent.h"
#include "agent/code/code_versions.h"
#include "agent/probes/probe_table.h"
#include "agent/probes/throw_checks.h"
#include "agent/probes/throw_hook.h"
#include "agent/probes/throw_watch.h"
#include "agent/threads/thread_registry.h"

namespace jvmdebug::agent::probes {

using events::Occurrence;
using threads::Tracked;

// Where the VM reports breakpoints it is reported by one at the instruction, like all others: there
// the thread stands in the program's own frame.
jint ThrowWatch::about_to_throw(const jvm::Jni& jni, jthrowable exception) {
  if (!watching_ || late_->use() != nullptr || agent_.probes().is_in_check()) {
    return 0;  // one of the agent's own
  }
  const jvm::Env& env = agent_.jvmti();
  Stack stack(env);
  const jvmtiFrameInfo* const frame = stack.at(kHookFrames);
  if (frame == nullptr) {
    return 0;
  }
  Occurrence thrown{.method = frame->method, .index = frame->location, .object = exception};
  // Costs as much as the rest, and the most in deep stacks.
  const auto frames = [&] {
    return env.get_frame_count(nullptr).value_or(0) - static_cast<jint>(kHookFrames);
  };
  if (expecting_ != 0) {
    const Tracked known = agent_.threads().current();
    if (known && is_expected_at(jni, known, thrown, frames())) {
      return 0;
    }
  }
  const auto type = jni.object_class(exception);
  const auto hash = static_cast<std::uint32_t>(env.get_object_hash_code(type).value_or(0));
  const auto generation = ignored_.generation();
  if (ignored_.contains(generation, hash, stack, kHookFrames)) {
    return 0;
  }
  {
    const code::LateEnvironment::Use use(*late_);
    const auto found = thrown_at(jni, exception, stack, kHookFrames, thrown.index);
    thrown = found.occurrence;
    if (!may_be_requested(jni, thrown, true)) {
      const Again again = expect_again(jni, exception, stack, kHookFrames, thrown.index);
      if (!again.is_expected) {
        ignored_.add(generation, hash, stack, kHookFrames,
                     std::max(found.decided_by, again.decided_by));
      }
      return 0;
    }
  }
  const auto thread = env.get_current_thread();
  const Tracked self = thread ? agent_.threads().enter(jni, *thread) : nullptr;
  if (!self) {
    return 0;
  }
  const bool stays_here = agent_.probes().stops_in_check();
  if (!stays_here && expect(self, {.exception = std::make_shared<jvm::GlobalRef<jobject>>(
                                       jni.global<jobject>(exception)),
                                   .method = thrown.method,
                                   .frames = frames(),
                                   .locations = {thrown.index},
                                   .throws_next = true})) {
    return 0;
  }
  thrown.depth = static_cast<jint>(kHookFrames);
  if (report_here(jni, thrown, stays_here)) {
    return kThrowWaits;
  }
  after_report(jni, exception, kHookFrames, thrown.index);
  return 0;
}

// What the code in front of the instruction knows decides: where the value is not that of a
// variable, a breakpoint takes it for the newest exception that is expected there.
bool ThrowWatch::is_expected_at(const jvm::Jni& jni, const Tracked& self, const Occurrence& thrown,
                                jint frames) {
  bool throws_next = false;
  std::vector<int> others;
  {
    const std::scoped_lock lock(mutex_);
    const auto found = expected_.find(self);
    if (found == expected_.end()) {
      return false;
    }
    for (const Expected& each : found->second) {
      if (each.method != thrown.method || each.frames != frames ||
          std::ranges::find(each.locations, thrown.index) == each.locations.end()) {
        continue;
      }
      if (each.throws_next && jni.same(each.exception->get(), thrown.object)) {
        throws_next = true;
      } else {
        others.push_back(each.number);
      }
    }
  }
  if (!others.empty()) {
    forget(self, [&](const Expected& each) {
      return std::ranges::find(others, each.number) != others.end();
    });
  }
  return throws_next;
}

// --- where the VM reports no breakpoints

ThrowWatch::Examined ThrowWatch::foresee(const jvm::Jni& jni, jobject exception, Stack& stack,
                                         const Origin& origin) {
  const bool by_reflection = origin.maker == Origin::Maker::kReflection;
  const auto exits = exits_of(agent_.jvmti(), jni, stack, origin.depth, by_reflection);
  Examined examined{
      .thrown_here = std::nullopt, .decided_by = stack.deepest, .first = origin.first};
  if (!exits) {
    return examined;
  }
  for (const jlocation index :
       exits->throws ? std::vector<jlocation>{*exits->throws} : exits->throwing) {
    if (tells_itself(exits->depth, index)) {
      continue;
    }
    Thrown thrown = thrown_at(jni, exception, stack, exits->depth, index);
    examined.decided_by = std::max(*examined.decided_by, thrown.decided_by);
    thrown.occurrence.index = stack.at(exits->depth)->location;  // where the frame stands
    thrown.occurrence.depth = static_cast<jint>(exits->depth);
    if (may_be_requested(jni, thrown.occurrence, true)) {
      return {.thrown_here = thrown.occurrence,
              .decided_by = std::nullopt,
              .first = origin.first,
              .is_foreseen = true};
    }
  }
  return examined;
}

// Whether the code that the frame runs calls the agent before it throws there.
bool ThrowWatch::tells_itself(std::size_t depth, jlocation index) const {
  std::array<jvmtiFrameInfo, 1> frame{};
  const auto count =
      agent_.jvmti().get_actual_stack_trace(nullptr, static_cast<jint>(depth), frame).value_or(0);
  if (count == 0) {
    return false;
  }
  const auto numbers = agent_.code_versions().method(frame.front().method)->probes_at(index);
  return std::ranges::find(numbers, kThrowCheck) != numbers.end();
}

}  // namespace jvmdebug::agent::probes
