// SPDX-License-Identifier: Apache-2.0
#include "agent/by_pattern/code_by_pattern.h"

#include <algorithm>
#include <mutex>
#include <utility>

#include "agent/by_pattern/class_patterns.h"
#include "agent/code/code_versions.h"
#include "agent/code/late_environment.h"
#include "agent/events/breakpoints.h"
#include "agent/jvm/class_name.h"
#include "agent/probes/change_limits.h"
#include "classfile/code_map.h"

namespace jvmdebug::agent::by_pattern {
namespace {

// Whether the VM can change the class. It refuses classes whose initializer has failed or that
// could not be linked.
bool is_changeable(const jvm::Env& env, jclass type) {
  constexpr jint kStates = JVMTI_CLASS_STATUS_PREPARED | JVMTI_CLASS_STATUS_ERROR;
  const auto status = env.get_class_status(type);
  return status && (*status & kStates) == JVMTI_CLASS_STATUS_PREPARED;
}

std::set<jmethodID> methods_run(const std::optional<code::ThreadStacks>& stacks) {
  std::set<jmethodID> found;
  if (stacks) {
    for (const code::ThreadStack& stack : *stacks) {
      for (const jvmtiFrameInfo& frame : stack.frames) {
        found.insert(frame.method);
      }
    }
  }
  return found;
}

}  // namespace

CodeByPattern::CodeByPattern(Uses uses, std::uint16_t mark) : uses_(std::move(uses)), mark_(mark) {
  uses_.changes.add(*this);
}

code::Outcome CodeByPattern::prepare() {
  if (const auto prepared = uses_.changes.prepare(); !prepared) {
    return prepared;
  }
  uses_.versions.begin();
  uses_.changes.late()->watch_changes();
  has_run_ = true;
  return {};
}

void CodeByPattern::try_again() {
  if (is_lacking_ && is_wanted()) {
    make_equal();
  }
}

bool CodeByPattern::has_code(std::span<const jmethodID> methods) const {
  return std::ranges::any_of(methods, [&](jmethodID method) {
    const auto code = uses_.env.get_actual_bytecodes(method);
    const auto map = code ? classfile::CodeMap::read(code->span()) : std::nullopt;
    return map && map->has(mark_);
  });
}

bool CodeByPattern::has_code(jclass type) const {
  const auto methods = uses_.env.get_class_methods(type);
  return methods && has_code(methods->span());
}

// Taking the code out waits for threads; while it is wanted the program is not swept for its own
// sake.
void CodeByPattern::sweep(code::Sweep how) {
  if (needs_sweep()) {
    is_lacking_ = false;
    code::StackLook look;
    change(changing(how, look), look);
  }
}

void CodeByPattern::make_equal() {
  is_lacking_ = false;
  code::StackLook look;
  change_all(changing(code::Sweep::kGently, look), look);
}

void CodeByPattern::renew(const Renewal& renewal) {
  code::StackLook look;
  change_all(renewed(renewal, look), look);
}

void CodeByPattern::change_all(std::span<code::ChangedClass* const> classes,
                               code::StackLook& look) {
  for (auto rest = classes; !rest.empty();) {
    const auto some = rest.first(std::min(rest.size(), code::kClassesAtOnce));
    change(some, look);
    rest = rest.subspan(some.size());
  }
}

std::vector<code::ChangedClass*> CodeByPattern::renewed(const Renewal& renewal,
                                                        code::StackLook& look) {
  const jvm::Jni jni = uses_.env.jni();
  const auto loaded = uses_.env.get_loaded_classes();
  std::vector<code::ChangedClass*> found;
  if (!loaded || !is_wanted()) {
    return found;
  }
  std::optional<std::set<jmethodID>> running;
  for (auto* const raw : *loaded) {
    const auto type = jni.adopt(raw);
    if (!is_changeable(uses_.env, type) || !has_name_in_plan(type)) {
      continue;
    }
    const std::string name = jvm::internal_name(uses_.env, type);
    const auto methods = uses_.env.get_class_methods(type);
    if (!methods || !renewal.concerns(uses_.changes.known(jni, type).get(), name) ||
        !has_code(methods->span()) || !uses_.limits.check_possible(type)) {
      continue;
    }
    if (!running) {
      running = methods_run(uses_.limits.stacks_of(look));
    }
    auto fixed = methods_in_the_way(type, methods->span(), *running, look);
    if (!fixed) {
      continue;
    }
    const auto of_class = uses_.changes.class_of(jni, type);
    fixed->merge(of(*of_class).without);
    if (renewal.decide(*of_class, name, *fixed)) {
      const std::scoped_lock lock(mutex_);
      auto& state = states_[of_class.get()];
      state.wanted = state.there = true;
      found.push_back(of_class.get());
    }
  }
  return found;
}

// Changes the classes. If the VM refuses one of them, halves find it, and it stays as it is.
void CodeByPattern::change(std::span<code::ChangedClass* const> classes, code::StackLook& look) {
  if (classes.empty()) {
    return;
  }
  const auto done = uses_.changes.change(classes, look);
  if (!done && classes.size() > 1 && code::is_of_classes(done.error())) {
    const std::size_t half = classes.size() / 2;
    change(classes.first(half), look);
    change(classes.subspan(half), look);
    return;
  }
  const jvm::Jni jni = uses_.env.jni();
  for (const code::ChangedClass* const each : classes) {
    const auto type = each->type(jni);
    if (!done && !code::is_of_classes(done.error())) {
      is_lacking_ = true;  // it is busy, and is tried again
    } else if (type && !done) {
      leave_out(jvm::internal_name(uses_.env, type), done.error());
    } else if (type) {
      take_in(jvm::internal_name(uses_.env, type));
    }
    {
      const std::scoped_lock lock(mutex_);
      auto& state = states_[each];
      state.wanted = state.there;
    }
    settle(*each, /*is_taken=*/false);
    if (type) {
      uses_.breakpoints.set_again(type);
    }
  }
}

std::vector<code::ChangedClass*> CodeByPattern::changing(code::Sweep how, code::StackLook& look) {
  const jvm::Jni jni = uses_.env.jni();
  const bool plan = is_wanted();
  const auto loaded = uses_.env.get_loaded_classes();
  std::vector<code::ChangedClass*> changing;
  waiting_ = 0;
  if (!loaded) {
    return changing;
  }
  std::optional<std::set<jmethodID>> running;
  for (auto* const raw : *loaded) {
    const auto type = jni.adopt(raw);
    const bool may_have = plan ? has_name_in_plan(type)
                               : ClassPatterns::may_include(jvm::internal_name(uses_.env, type));
    if (!may_have || !is_changeable(uses_.env, type)) {
      continue;
    }
    const auto methods = uses_.env.get_class_methods(type);
    if (!methods || methods->span().empty()) {
      continue;
    }
    const bool has = has_code(methods->span());
    const auto known = uses_.changes.known(jni, type);
    if (!plan && !has && known && holds(*known)) {
      forget(*known);  // renewals have taken all of it out
      uses_.changes.note_unneeded();
    }
    // A class without methods to change, or without room, has none when it has been changed.
    const bool is_done = has || (plan && known && of(*known).there);
    const bool is_whole = is_done && (!known || of(*known).without.empty());
    if (plan ? is_whole : !has) {
      continue;
    }
    if (const auto possible = uses_.limits.check_possible(type); !possible) {
      leave_out(jvm::internal_name(uses_.env, type), possible.error());
      continue;
    }
    if (!running) {
      running = methods_run(uses_.limits.stacks_of(look));
    }
    auto without = how == code::Sweep::kWholly
                       ? std::set<std::string>()
                       : methods_in_the_way(type, methods->span(), *running, look);
    const bool waits = !without || (!plan && !without->empty());
    const bool is_partial = without && !without->empty();
    if (waits || is_partial) {
      is_lacking_ = true;
      ++waiting_;
    }
    const bool is_done_but_for_these =
        plan && known && of(*known).there && without == of(*known).without;
    if (waits || is_done_but_for_these) {
      continue;
    }
    const auto class_known = uses_.changes.class_of(jni, type);
    {
      const std::scoped_lock lock(mutex_);
      auto& state = states_[class_known.get()];
      state.wanted = plan;
      state.without = *std::move(without);
    }
    changing.push_back(class_known.get());
  }
  return changing;
}

// Returns the methods that have to stay as they are now; none if that is all of the class.
std::optional<std::set<std::string>> CodeByPattern::methods_in_the_way(
    jclass type, std::span<const jmethodID> methods, const std::set<jmethodID>& running,
    code::StackLook& look) const {
  const jvm::Jni jni = uses_.env.jni();
  const auto& stacks = uses_.limits.stacks_of(look);
  if (!stacks || !uses_.limits.check_unharmed(jni, type, {})) {
    return std::nullopt;
  }
  std::set<jmethodID> found;
  for (jmethodID const method : methods) {
    if (running.contains(method) || uses_.limits.is_in_use(jni, *stacks, type, method)) {
      found.insert(method);
    }
  }
  const bool changes_all =
      !uses_.changes.reports_breakpoints() || uses_.changes.vm_mixes_versions();
  if (!found.empty() && changes_all) {
    return std::nullopt;
  }
  return uses_.changes.names_of(found);
}

bool CodeByPattern::has_name_in_plan(jclass type) const {
  const std::string name = jvm::internal_name(uses_.env, type);
  // The name of a hidden class has a dot. The VM lets no agent change such classes.
  return !name.empty() && !name.contains('.') && includes(name);
}

CodeByPattern::State CodeByPattern::of(const code::ChangedClass& of) const {
  const std::scoped_lock lock(mutex_);
  const auto found = states_.find(&of);
  return found == states_.end() ? State{} : found->second;
}

// --- what the code of a class becomes --------------------------------------------------------

bool CodeByPattern::may_change(const code::ChangedClass& of,
                               std::span<const std::uint8_t> /*code*/) const {
  const State state = this->of(of);
  return state.wanted != state.there || is_renewed(of);
}

void CodeByPattern::changed(const code::ChangedClass& of, bool as_decided) {
  if (!as_decided) {
    return;
  }
  {
    const std::scoped_lock lock(mutex_);
    const auto found = states_.find(&of);
    if (found != states_.end()) {
      found->second.there = found->second.wanted;
    }
  }
  settle(of, /*is_taken=*/true);
}

bool CodeByPattern::has_calls(const code::ChangedClass& of) const {
  return this->of(of).wanted;
}

classfile::Rewritten<std::string> CodeByPattern::add(const code::ChangedClass& of,
                                                     classfile::ClassFile& file,
                                                     classfile::MethodInsertions& insertions) {
  const State state = this->of(of);
  if (state.wanted && is_wanted()) {
    JVMDEBUG_CHECK(add_code(&of, file, state.without, insertions));
  }
  return std::string();
}

bool CodeByPattern::goes_without(const code::ChangedClass& of) {
  const std::scoped_lock lock(mutex_);
  const auto found = states_.find(&of);
  return found != states_.end() && std::exchange(found->second.wanted, false);
}

std::optional<std::vector<std::uint8_t>> CodeByPattern::unchanged(
    std::span<const std::uint8_t> bytes) const {
  if (!is_wanted()) {
    return std::nullopt;
  }
  auto file = classfile::ClassFile::read(bytes);
  if (!file || !includes(file->name())) {
    return std::nullopt;
  }
  classfile::MethodInsertions insertions;
  if (!add_code(nullptr, *file, {}, insertions) || insertions.empty()) {
    return std::nullopt;
  }
  for (const auto& [method, all] : insertions) {
    if (!file->insert(*method, all)) {
      return std::nullopt;
    }
  }
  return file->write();
}

std::optional<std::vector<std::uint8_t>> CodeByPattern::loading(
    std::string_view name, std::span<const std::uint8_t> bytes) const {
  return is_wanted() && includes(name) ? unchanged(bytes) : std::nullopt;
}

// --- redefined or forgotten classes ----------------------------------------------------------

void CodeByPattern::complete(classfile::ClassFile& file,
                             classfile::MethodInsertions& insertions) const {
  classfile::MethodInsertions more;
  if (!is_wanted() || !includes(file.name()) || !add_code(nullptr, file, {}, more)) {
    return;
  }
  for (auto& [method, all] : more) {
    insertions.try_emplace(method, std::move(all));
  }
}

void CodeByPattern::replaced(const code::ChangedClass& of, jclass type, const Codes& /*kept*/) {
  const bool has = has_run_ && has_code(type);
  const std::scoped_lock lock(mutex_);
  auto& state = states_[&of];
  state.wanted = state.there = has;
}

void CodeByPattern::begins(const code::ChangedClass& of, jclass type) {
  if (has_run_ && has_code(type)) {
    const std::scoped_lock lock(mutex_);
    auto& state = states_[&of];
    state.wanted = state.there = true;
  }
}

bool CodeByPattern::holds(const code::ChangedClass& of) const {
  const State state = this->of(of);
  return state.wanted || state.there;
}

void CodeByPattern::forget(const code::ChangedClass& of) {
  const std::scoped_lock lock(mutex_);
  states_.erase(&of);
}

}  // namespace jvmdebug::agent::by_pattern
