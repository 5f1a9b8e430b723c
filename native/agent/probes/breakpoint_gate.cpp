// SPDX-License-Identifier: Apache-2.0
#include "agent/probes/breakpoint_gate.h"

#include <algorithm>
#include <chrono>
#include <span>
#include <thread>

#include "agent/code/code_changes.h"
#include "agent/code/code_versions.h"
#include "agent/events/breakpoints.h"
#include "agent/probes/old_frames.h"

namespace jvmdebug::agent::probes {

namespace {

constexpr const char* kOlder =
    "a thread may run an older version of the method, in which the VM would run wrong code";

// Whether some thread that runs one of the methods is not suspended, and so may leave it.
bool may_go_on(const jvm::Env& env, const code::ThreadStacks& stacks,
               std::span<const jmethodID> used) {
  const auto runs = [&](const jvmtiFrameInfo& frame) {
    return std::ranges::find(used, frame.method) != used.end();
  };
  return std::ranges::any_of(stacks, [&](const code::ThreadStack& stack) {
    return std::ranges::any_of(stack.frames, runs) &&
           (env.get_thread_state(stack.thread).value_or(0) & JVMTI_THREAD_STATE_SUSPENDED) == 0;
  });
}

}  // namespace

code::Outcome BreakpointGate::prepare(const events::CodeLocation& location) {
  if (!breakpoints_.would_harm(location)) {
    return {};
  }
  const jvm::Jni jni = env_.jni();
  const auto raw = env_.get_method_declaring_class(location.method);
  const auto type = jni.adopt(raw.value_or(nullptr));
  const code::CodeMethods all = code::CodeMethods::of(env_, type);
  // After a change that leaves other methods with such breakpoints alone, those would do harm too.
  std::set<jmethodID> methods = breakpoints_.field_users_in(type);
  methods.insert(location.method);
  const bool is_all = methods.size() >= all.all.size() && !all.has_others;
  if (changes_.vm_mixes_versions() || (is_all && !all.is_one())) {
    return std::unexpected(kOlder);
  }
  if (const auto possible = changes_.prepare(); !possible) {
    return possible;
  }
  versions_.begin();
  if (!are_left_soon(jni, type, methods, all.is_one())) {
    return std::unexpected(kOlder);
  }
  const auto done = changes_.renew(jni, type, methods, all.is_one());
  breakpoints_.set_again(type);
  old_frames_.watch();
  return done;
}

// Waits until the frames that the methods have now are gone, or, with `all`, until no frame runs
// the class.
bool BreakpointGate::are_left_soon(const jvm::Jni& jni, jclass type,
                                   const std::set<jmethodID>& methods, bool all) {
  constexpr std::chrono::seconds kDeadline{2};
  constexpr std::chrono::milliseconds kPause{3};
  const auto until = std::chrono::steady_clock::now() + kDeadline;
  code::KeptFrames first(env_);
  for (bool is_first = true; is_first || std::chrono::steady_clock::now() < until;
       is_first = false) {
    const auto stacks = old_frames_.stacks(jni);
    if (!stacks) {
      return false;
    }
    const auto used = code::versions_in_use(env_, *stacks, type);
    if (is_first) {
      first.note(jni, *stacks, type, {});
    }
    const bool is_left = std::ranges::none_of(methods, [&](jmethodID method) {
      return changes_.kept().has(jni, *stacks, method) ||
             (old_frames_.would_matter(*stacks, method) && first.has(jni, *stacks, method));
    });
    if (all ? used.empty() : is_left) {
      return true;
    }
    if (!may_go_on(env_, *stacks, used)) {
      return false;
    }
    std::this_thread::sleep_for(kPause);
  }
  return false;
}

}  // namespace jvmdebug::agent::probes
