// SPDX-License-Identifier: Apache-2.0
// The part of ProbeTable that makes a method ready for a breakpoint of the VM.
//
// Where the breakpoint would do harm in an older version, see older_versions.h, the method gets a
// deeper operand stack by one change of its class and loses it by another. Both leave the other
// methods as they are, so HotSpot marks all older versions of this one obsolete. Threads that run
// one of these make single steps until they have left it, see old_frames.h. So not where a frame
// stays for long, nor in one that HotSpot takes for a frame of the newest version, where the
// breakpoint would not be seen. A class with one method has to be without any frame: then a change
// has HotSpot free all older versions.
#include <algorithm>
#include <array>
#include <chrono>
#include <iterator>
#include <mutex>
#include <set>
#include <span>
#include <thread>
#include <utility>
#include <vector>

#include "agent/agent.h"
#include "agent/code/code_versions.h"
#include "agent/code/late_environment.h"
#include "agent/events/breakpoints.h"
#include "agent/jvm/redefinitions.h"
#include "agent/probes/probe_table.h"
#include "agent/scope.h"

namespace jvmdebug::agent::probes {

namespace {

constexpr const char* kOlder =
    "a thread may run an older version of the method, in which the VM would run wrong code";

// Whether a thread that runs the class may go on.
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

Outcome ProbeTable::prepare_for_breakpoint(const events::CodeLocation& location) {
  if (!agent_.breakpoints().would_harm(location)) {
    return {};
  }
  const jvm::Jni jni = agent_.jni();
  const auto raw = agent_.jvmti().get_method_declaring_class(location.method);
  const auto type = jni.adopt(raw.value_or(nullptr));
  const code::CodeMethods all = code::CodeMethods::of(agent_.jvmti(), type);
  // Breakpoints in others would do harm too, after a change that leaves these as they are.
  std::set<jmethodID> methods = agent_.breakpoints().field_users_in(type);
  methods.insert(location.method);
  const bool is_all = methods.size() >= all.all.size() && !all.has_others;
  if (vm_mixes_versions() || (is_all && !all.is_one())) {
    return std::unexpected(kOlder);
  }
  if (const auto possible = prepare_late_environment(); !possible) {
    return possible;
  }
  agent_.code_versions().begin();
  if (!are_left_soon(jni, type, methods, all.is_one())) {
    return std::unexpected(kOlder);
  }
  const auto done = renew(jni, type, methods, all.is_one());
  agent_.breakpoints().set_again(type);
  old_frames_.watch();
  return done;
}

// Waits until those frames of the methods are gone that are there now; with `all` until there is
// none.
bool ProbeTable::are_left_soon(const jvm::Jni& jni, jclass type, const std::set<jmethodID>& methods,
                               bool all) {
  constexpr std::chrono::seconds kDeadline{2};
  constexpr std::chrono::milliseconds kPause{3};
  const auto until = std::chrono::steady_clock::now() + kDeadline;
  code::KeptFrames first(agent_.jvmti());
  for (bool is_first = true; is_first || std::chrono::steady_clock::now() < until;
       is_first = false) {
    const auto stacks = old_frames_.stacks(jni);
    if (!stacks) {
      return false;
    }
    const auto used = code::versions_in_use(agent_.jvmti(), *stacks, type);
    if (is_first) {
      first.note(jni, *stacks, type, {});
    }
    const bool is_left = std::ranges::none_of(methods, [&](jmethodID method) {
      return kept_.has(jni, *stacks, method) ||
             (old_frames_.would_matter(*stacks, method) && first.has(jni, *stacks, method));
    });
    if (all ? used.empty() : is_left) {
      return true;
    }
    if (!may_go_on(agent_.jvmti(), *stacks, used)) {
      return false;
    }
    std::this_thread::sleep_for(kPause);
  }
  return false;
}

// `unused`: no frame runs the class.
Outcome ProbeTable::renew(const jvm::Jni& jni, jclass type, const std::set<jmethodID>& methods,
                          bool unused) {
  std::vector<jvm::LocalRef<jclass>> types;
  types.push_back(jni.local(type));
  const auto removed = agent_.breakpoints().remove_before_redefinition(types);
  const AtExit restore([&] { agent_.breakpoints().restore(removed); });
  if (!agent_.code_versions().begin_change()) {
    return std::unexpected(kBusy);
  }
  ProbedClass& of = class_of(jni, type);
  has_left_ = true;  // the next sweep forgets a class that has nothing else
  const std::array<jclass, 1> plain{type};
  std::array<ClassChange, 1> change{
      {{.of = &of, .type = type, .methods = methods, .is_unused = unused}}};
  jvm::Result<void> done;
  for (auto names : {names_of(methods), std::set<std::string>()}) {
    change.front().before = jvm::redefinitions_of(jni, type);
    bool stays_on = false;
    {
      const std::scoped_lock lock(mutex_);
      of.next_calls.clear();
      std::ranges::copy_if(of.probes, std::inserter(of.next_calls, of.next_calls.end()),
                           [](const auto& probe) { return probe->life.is_called(); });
      of.rewrite_error.clear();
      of.deepened = std::move(names);
      stays_on = is_any_changed();
    }
    if (done) {
      done = rewrite(jni, plain, change, stays_on);
    }
  }
  agent_.code_versions().end_change();
  return done ? Outcome{}
              : std::unexpected(because("the VM refuses the changed class", done.error()));
}

}  // namespace jvmdebug::agent::probes
