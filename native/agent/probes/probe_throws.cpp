// SPDX-License-Identifier: Apache-2.0
// The part of ProbeTable that has the program report exceptions to ThrowWatch: Throwable what is
// constructed, and other classes what they throw and have not made there.
//
// Classes that are loaded later get their calls while they are loaded, and no change: so they are
// not in the table until something else is. The code itself says whether it has the calls.
#include <algorithm>
#include <array>
#include <chrono>
#include <mutex>
#include <optional>
#include <span>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "agent/agent.h"
#include "agent/code/code_versions.h"
#include "agent/code/late_environment.h"
#include "agent/events/breakpoints.h"
#include "agent/probes/backtrace.h"
#include "agent/probes/probe_table.h"
#include "agent/probes/throw_checks.h"

namespace jvmdebug::agent::probes {
namespace {

// Not one whose initializer has failed, or which could not be linked: the VM refuses to change
// those.
bool is_checkable(const jvm::Env& env, jclass type) {
  constexpr jint kStates = JVMTI_CLASS_STATUS_PREPARED | JVMTI_CLASS_STATUS_ERROR;
  const auto status = env.get_class_status(type);
  if (!status || (*status & kStates) != JVMTI_CLASS_STATUS_PREPARED) {
    return false;
  }
  const auto signature = env.get_class_signature_only(type);
  const std::string_view text = signature ? signature->view() : std::string_view();
  // With a dot it is a hidden one, which nobody may change.
  return text.size() > 2 && text.front() == 'L' && text.find('.') == std::string_view::npos &&
         may_check_throws(text.substr(1, text.size() - 2));
}

// Whether it is none of the boot loader's.
bool is_owned(const jvm::Jni& jni, const jvm::Env& env, jclass type) {
  return static_cast<bool>(jni.adopt(env.get_class_loader(type).value_or(nullptr)));
}

std::vector<jmethodID> methods_with(const jvm::Env& env, std::span<const jmethodID> methods,
                                    ThrowChecks wanted) {
  std::vector<jmethodID> found;
  for (jmethodID const method : methods) {
    const auto code = env.get_actual_bytecodes(method);
    if (code && throw_checks_in(code->span()) == wanted) {
      found.push_back(method);
    }
  }
  return found;
}

std::unordered_set<jmethodID> methods_run(const code::ThreadStacks& stacks) {
  std::unordered_set<jmethodID> found;
  for (const code::ThreadStack& stack : stacks) {
    for (const jvmtiFrameInfo& frame : stack.frames) {
      found.insert(frame.method);
    }
  }
  return found;
}

}  // namespace

Outcome ProbeTable::report_throws(bool on) {
  const jvm::Jni jni = agent_.jni();
  if (const auto prepared = prepare_late_environment(); !prepared) {
    return prepared;
  }
  // Nobody is to see the calls.
  agent_.code_versions().begin();
  const auto throwable = jni.find_class("java/lang/Throwable");
  ProbedClass& of = class_of(jni, throwable);
  {
    const std::scoped_lock lock(mutex_);
    has_backtrace_ = has_backtrace(jni);
    of.reports_throws = on;
  }
  auto done = retransform(of);
  if (!done) {
    const std::scoped_lock lock(mutex_);
    of.reports_throws = of.reported_throws;
  }
  agent_.breakpoints().set_again(throwable);
  old_frames_.watch();
  return done;
}

void ProbeTable::check_throws(CheckedClasses which) {
  const CheckedClasses before = std::exchange(throw_checks_.which, which);
  const bool on = which != CheckedClasses::kNone;
  throw_checks_.is_on = on;
  throw_checks_.has_been_on |= on;
  if (which > before || (before != CheckedClasses::kNone && !on)) {
    throw_checks_.is_lacking = which != CheckedClasses::kProgram || !stops_in_check();
    throw_checks_.next_look = {};
  }
  sweep_throw_checks(Sweep::kGently);
}

// A look at all classes takes milliseconds, and steps sweep too.
void ProbeTable::sweep_throw_checks(Sweep how) {
  constexpr auto kLookEvery = std::chrono::seconds{10};
  const auto now = std::chrono::steady_clock::now();
  if (!throw_checks_.is_lacking || (how == Sweep::kGently && now < throw_checks_.next_look)) {
    return;
  }
  throw_checks_.is_lacking = false;
  throw_checks_.next_look = now + kLookEvery;
  Look look;
  const auto changing = changing_throw_checks(how, look);
  for (std::span<ProbedClass* const> rest(changing); !rest.empty();) {
    const auto some = rest.first(std::min(rest.size(), kClassesAtOnce));
    change_throw_checks(some, look);
    rest = rest.subspan(some.size());
  }
}

// By halves, where the VM refuses the change of one: that stays as it is.
void ProbeTable::change_throw_checks(std::span<ProbedClass* const> classes, Look& look) {
  const auto done = retransform(classes, look);
  if (!done && classes.size() > 1 && is_of_classes(done.error())) {
    const std::size_t half = classes.size() / 2;
    change_throw_checks(classes.first(half), look);
    change_throw_checks(classes.subspan(half), look);
    return;
  }
  for (ProbedClass* const each : classes) {
    {
      const std::scoped_lock lock(mutex_);
      each->checks_throws = each->checked_throws;
      has_left_ |= each->is_as_it_was();  // the next sweep forgets it
    }
    left(*each);
  }
}

std::vector<ProbedClass*> ProbeTable::changing_throw_checks(Sweep how, Look& look) {
  const jvm::Jni jni = agent_.jni();
  const jvm::Env& env = agent_.jvmti();
  const auto classes = env.get_loaded_classes();
  if (!classes) {
    return {};
  }
  const bool changes_all = how == Sweep::kWholly || stops_in_check();
  const auto& stacks = stacks_of(look);
  const auto running = stacks ? methods_run(*stacks) : std::unordered_set<jmethodID>{};
  const ThrowChecks wanted = throw_checks_.is_on ? ThrowChecks::kLacking : ThrowChecks::kThere;
  const bool is_program_alone = throw_checks_.which == CheckedClasses::kProgram;
  std::vector<ProbedClass*> changing;
  for (auto* const raw : *classes) {
    const auto type = jni.adopt(raw);
    if (!is_checkable(env, type) || (is_program_alone && !is_owned(jni, env, type))) {
      continue;
    }
    const auto methods = env.get_class_methods(type);
    const auto concerned =
        methods ? methods_with(env, methods->span(), wanted) : std::vector<jmethodID>{};
    if (concerned.empty() || !check_possible(type) || !check_unharmed(jni, type, {})) {
      continue;
    }
    const bool is_run = !stacks || std::ranges::any_of(*methods, [&](jmethodID method) {
      return running.contains(method);
    });
    if (!changes_all && is_run && !may_check_running(type, concerned, look)) {
      throw_checks_.is_lacking = true;
      continue;
    }
    ProbedClass& of = class_of(jni, type);
    const std::scoped_lock lock(mutex_);
    of.checks_throws = throw_checks_.is_on;
    changing.push_back(&of);
  }
  return changing;
}

// A change takes the lines of frames that run the class from the stack traces that the program
// prints, and other probes may have to wait for these frames: not in the JDK's classes, whose
// frames are everywhere, nor in order to take the calls out.
bool ProbeTable::may_check_running(jclass type, std::span<const jmethodID> methods, Look& look) {
  const jvm::Jni jni = agent_.jni();
  const auto& stacks = stacks_of(look);
  return stacks && throw_checks_.is_on && is_owned(jni, agent_.jvmti(), type) &&
         std::ranges::none_of(
             methods, [&](jmethodID method) { return is_in_use(jni, *stacks, type, method); });
}

bool has_throw_checks(const jvm::Env& env, jclass type) {
  const auto methods = env.get_class_methods(type);
  return methods && !methods_with(env, methods->span(), ThrowChecks::kThere).empty();
}

}  // namespace jvmdebug::agent::probes
