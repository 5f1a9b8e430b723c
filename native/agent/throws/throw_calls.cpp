// SPDX-License-Identifier: Apache-2.0
#include "agent/throws/throw_calls.h"

#include <algorithm>
#include <mutex>
#include <ranges>
#include <unordered_set>
#include <utility>

#include "agent/code/code_versions.h"
#include "agent/events/breakpoints.h"
#include "agent/probes/change_limits.h"
#include "agent/probes/old_frames.h"
#include "agent/throws/backtrace.h"
#include "agent/throws/throw_checks.h"
#include "agent/throws/throw_hook.h"

namespace jvmdebug::agent::throws {
namespace {

// Whether the VM can change the class. It refuses classes whose initializer has failed or that
// could not be linked.
bool is_checkable(const jvm::Env& env, jclass type) {
  constexpr jint kStates = JVMTI_CLASS_STATUS_PREPARED | JVMTI_CLASS_STATUS_ERROR;
  const auto status = env.get_class_status(type);
  if (!status || (*status & kStates) != JVMTI_CLASS_STATUS_PREPARED) {
    return false;
  }
  const auto signature = env.get_class_signature_only(type);
  const std::string_view text = signature ? signature->view() : std::string_view();
  // The name of a hidden class has a dot. The VM lets no agent change such classes.
  return text.size() > 2 && text.front() == 'L' && text.find('.') == std::string_view::npos &&
         may_check_throws(text.substr(1, text.size() - 2));
}

// Whether a loader other than the boot loader has loaded the class.
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

ThrowCalls::ThrowCalls(const jvm::Env& env, code::CodeChanges& changes,
                       code::CodeVersions& versions, const probes::ChangeLimits& limits,
                       events::Breakpoints& breakpoints, const probes::OldFrames& old_frames)
    : env_(env),
      changes_(changes),
      versions_(versions),
      limits_(limits),
      breakpoints_(breakpoints),
      old_frames_(old_frames) {
  changes.add(*this);
}

// --- agent threads ---------------------------------------------------------------------------

code::Outcome ThrowCalls::report(bool on) {
  const jvm::Jni jni = env_.jni();
  if (const auto prepared = changes_.prepare(); !prepared) {
    return prepared;
  }
  // Hides the calls from the debugger.
  versions_.begin();
  const auto throwable = jni.find_class("java/lang/Throwable");
  const auto changed = changes_.class_of(jni, throwable);
  has_backtrace_ = has_backtrace(jni);
  set_wanted(*changed, &Kinds::reports, on);
  auto done = changes_.change(*changed);
  if (!done) {
    set_wanted(*changed, &Kinds::reports, of(*changed).there.reports);
  }
  breakpoints_.set_again(throwable);
  old_frames_.watch();
  return done;
}

void ThrowCalls::check(CheckedClasses which) {
  const CheckedClasses before = std::exchange(which_, which);
  const bool on = which != CheckedClasses::kNone;
  checks_loaded_ = on;
  has_checked_ |= on;
  if (which > before || (before != CheckedClasses::kNone && !on)) {
    is_lacking_ = which != CheckedClasses::kProgram || changes_.reports_breakpoints();
    next_look_ = {};
  }
  sweep(code::Sweep::kGently);
}

// Does nothing most of the time: looking at all classes takes milliseconds, and steps sweep too.
void ThrowCalls::sweep(code::Sweep how) {
  constexpr auto kLookEvery = std::chrono::seconds{10};
  const auto now = std::chrono::steady_clock::now();
  if (!is_lacking_ || (how == code::Sweep::kGently && now < next_look_)) {
    return;
  }
  is_lacking_ = false;
  next_look_ = now + kLookEvery;
  code::StackLook look;
  const auto all = changing(how, look);
  for (std::span<code::ChangedClass* const> rest(all); !rest.empty();) {
    const auto some = rest.first(std::min(rest.size(), code::kClassesAtOnce));
    change(some, look);
    rest = rest.subspan(some.size());
  }
}

// Changes the classes. If the VM refuses one of them, halves find it, and it stays as it is.
void ThrowCalls::change(std::span<code::ChangedClass* const> classes, code::StackLook& look) {
  const auto done = changes_.change(classes, look);
  if (!done && classes.size() > 1 && code::is_of_classes(done.error())) {
    const std::size_t half = classes.size() / 2;
    change(classes.first(half), look);
    change(classes.subspan(half), look);
    return;
  }
  const jvm::Jni jni = env_.jni();
  for (const code::ChangedClass* const each : classes) {
    set_wanted(*each, &Kinds::checks, of(*each).there.checks);
    if (const auto type = each->type(jni)) {
      breakpoints_.set_again(type);
    }
  }
}

std::vector<code::ChangedClass*> ThrowCalls::changing(code::Sweep how, code::StackLook& look) {
  const jvm::Jni jni = env_.jni();
  const auto classes = env_.get_loaded_classes();
  if (!classes) {
    return {};
  }
  const bool changes_all = how == code::Sweep::kWholly || !changes_.reports_breakpoints();
  const auto& stacks = limits_.stacks_of(look);
  const auto running = stacks ? methods_run(*stacks) : std::unordered_set<jmethodID>{};
  const ThrowChecks wanted = checks_loaded_ ? ThrowChecks::kLacking : ThrowChecks::kThere;
  const bool is_program_alone = which_ == CheckedClasses::kProgram;
  std::vector<code::ChangedClass*> changing;
  for (auto* const raw : *classes) {
    const auto type = jni.adopt(raw);
    if (!is_checkable(env_, type) || (is_program_alone && !is_owned(jni, env_, type))) {
      continue;
    }
    const auto methods = env_.get_class_methods(type);
    const auto concerned =
        methods ? methods_with(env_, methods->span(), wanted) : std::vector<jmethodID>{};
    if (concerned.empty() || !limits_.check_possible(type) ||
        !limits_.check_unharmed(jni, type, {})) {
      continue;
    }
    const bool is_run = !stacks || std::ranges::any_of(*methods, [&](jmethodID method) {
      return running.contains(method);
    });
    if (!changes_all && is_run && !may_check_running(type, concerned, look)) {
      is_lacking_ = true;
      continue;
    }
    const auto of = changes_.class_of(jni, type);
    set_wanted(*of, &Kinds::checks, checks_loaded_);
    changing.push_back(of.get());
  }
  return changing;
}

// Whether calls may be put into a class that threads run. A change takes the lines of such frames
// from the stack traces that the program prints, and other probes may have to wait for the frames.
// So the answer is no for the JDK's classes, whose frames are everywhere, and for taking calls out.
bool ThrowCalls::may_check_running(jclass type, std::span<const jmethodID> methods,
                                   code::StackLook& look) const {
  const jvm::Jni jni = env_.jni();
  const auto& stacks = limits_.stacks_of(look);
  return stacks && checks_loaded_ && is_owned(jni, env_, type) &&
         std::ranges::none_of(methods, [&](jmethodID method) {
           return limits_.is_in_use(jni, *stacks, type, method);
         });
}

bool has_throw_checks(const jvm::Env& env, jclass type) {
  const auto methods = env.get_class_methods(type);
  return methods && !methods_with(env, methods->span(), ThrowChecks::kThere).empty();
}

ThrowCalls::Calls ThrowCalls::of(const code::ChangedClass& of) const {
  const std::scoped_lock lock(mutex_);
  const auto found = classes_.find(&of);
  return found == classes_.end() ? Calls{} : found->second;
}

void ThrowCalls::set_wanted(const code::ChangedClass& of, bool Kinds::* kind, bool on) {
  const std::scoped_lock lock(mutex_);
  classes_[&of].wanted.*kind = on;
}

// --- what the code of a class becomes --------------------------------------------------------

// Returns no methods that get or lose checks. They are not known in advance, see may_change().
std::set<jmethodID> ThrowCalls::decide(const code::ChangedClass& of, jclass type,
                                       code::StackLook& /*look*/) {
  const Calls calls = this->of(of);
  return calls.wanted.reports == calls.there.reports ? std::set<jmethodID>()
                                                     : constructors_of(type);
}

bool ThrowCalls::may_change(const code::ChangedClass& of,
                            std::span<const std::uint8_t> code) const {
  const Calls calls = this->of(of);
  return calls.wanted.checks != calls.there.checks && throw_checks_in(code) != ThrowChecks::kNoNeed;
}

std::set<jmethodID> ThrowCalls::constructors_of(jclass type) const {
  std::set<jmethodID> found;
  const auto methods = env_.get_class_methods(type);
  if (methods) {
    for (jmethodID const method : *methods) {
      const auto name = env_.get_method_name(method);
      if (name && name->name.view() == "<init>") {
        found.insert(method);
      }
    }
  }
  return found;
}

void ThrowCalls::changed(const code::ChangedClass& of, bool as_decided) {
  const std::scoped_lock lock(mutex_);
  const auto found = classes_.find(&of);
  if (as_decided && found != classes_.end()) {
    found->second.there = found->second.wanted;
  }
}

bool ThrowCalls::has_calls(const code::ChangedClass& of) const {
  return this->of(of).wanted.is_any();
}

classfile::Rewritten<std::string> ThrowCalls::add(const code::ChangedClass& of,
                                                  classfile::ClassFile& file,
                                                  classfile::MethodInsertions& insertions) {
  const Kinds wanted = this->of(of).wanted;
  if (wanted.reports) {
    JVMDEBUG_CHECK(add_throw_reports(file, {.has_backtrace = has_backtrace_}, insertions));
  }
  if (wanted.checks) {
    JVMDEBUG_CHECK(add_throw_checks(file, insertions));
  }
  return std::string();
}

// Gives up the checks, so that the class gets its other calls.
bool ThrowCalls::goes_without(const code::ChangedClass& of) {
  const std::scoped_lock lock(mutex_);
  const auto found = classes_.find(&of);
  return found != classes_.end() && std::exchange(found->second.wanted.checks, false);
}

std::optional<std::vector<std::uint8_t>> ThrowCalls::unchanged(
    std::span<const std::uint8_t> bytes) const {
  return checks_loaded_ ? with_throw_checks(bytes) : std::nullopt;
}

std::optional<std::vector<std::uint8_t>> ThrowCalls::loading(
    std::string_view name, std::span<const std::uint8_t> bytes) const {
  return may_check_throws(name) ? unchanged(bytes) : std::nullopt;
}

bool ThrowCalls::is_on() const {
  const std::scoped_lock lock(mutex_);
  return checks_loaded_ || std::ranges::any_of(std::views::values(classes_), [](const Calls& each) {
           return each.wanted.reports;
         });
}

// --- redefined or forgotten classes ----------------------------------------------------------

bool ThrowCalls::stays_in(const code::ChangedClass& of) const {
  return this->of(of).wanted.reports;
}

void ThrowCalls::complete(classfile::ClassFile& file,
                          classfile::MethodInsertions& insertions) const {
  MethodInsertions more;
  if (!checks_loaded_ || !may_check_throws(file.name()) || file.pool().has_float_nan() ||
      !add_throw_checks(file, more)) {
    return;
  }
  for (auto& [method, all] : more) {
    insertions.try_emplace(method, std::move(all));
  }
}

void ThrowCalls::replaced(const code::ChangedClass& of, jclass type, const Codes& /*kept*/) {
  const bool has_checks = checks_loaded_ && has_throw_checks(env_, type);
  const std::scoped_lock lock(mutex_);
  auto& calls = classes_[&of];
  calls.wanted.checks = calls.there.checks = has_checks;
}

void ThrowCalls::begins(const code::ChangedClass& of, jclass type) {
  if (has_checked_ && has_throw_checks(env_, type)) {
    const std::scoped_lock lock(mutex_);
    auto& calls = classes_[&of];
    calls.wanted.checks = calls.there.checks = true;
  }
}

bool ThrowCalls::holds(const code::ChangedClass& of) const {
  const Calls calls = this->of(of);
  return calls.wanted.is_any() || calls.there.is_any();
}

void ThrowCalls::forget(const code::ChangedClass& of) {
  const std::scoped_lock lock(mutex_);
  classes_.erase(&of);
}

}  // namespace jvmdebug::agent::throws
