// SPDX-License-Identifier: Apache-2.0
#include "agent/origins/origins.h"

#include <algorithm>
#include <mutex>
#include <utility>

#include "agent/code/code_versions.h"
#include "agent/code/late_environment.h"
#include "agent/events/breakpoints.h"
#include "agent/java/generated/agent_classes.h"
#include "agent/jvm/class_name.h"
#include "agent/origins/origin_points.h"
#include "agent/probes/change_limits.h"
#include "agent/probes/left_class.h"
#include "classfile/code_map.h"

namespace jvmdebug::agent::origins {
namespace {

constexpr const char* kRun = "threads run its methods";

// Whether the VM can change the class. It refuses classes whose initializer has failed. It links
// those that are not linked yet.
bool is_changeable(const jvm::Env& env, jclass type) {
  const auto status = env.get_class_status(type);
  return status && (*status & JVMTI_CLASS_STATUS_ERROR) == 0;
}

// Returns the methods of a class; none for a class that is not linked yet.
std::vector<jmethodID> methods_of(const jvm::Env& env, jclass type) {
  const auto methods = env.get_class_methods(type);
  return methods ? std::vector<jmethodID>(methods->span().begin(), methods->span().end())
                 : std::vector<jmethodID>();
}

bool is_run(const code::ThreadStacks& stacks, jmethodID method) {
  return std::ranges::any_of(stacks, [&](const code::ThreadStack& stack) {
    return std::ranges::any_of(stack.frames,
                               [&](const jvmtiFrameInfo& frame) { return frame.method == method; });
  });
}

}  // namespace

Origins::Origins(const Uses& uses) : uses_(uses) {
  uses_.changes.add(*this);
}

// --- agent threads ---------------------------------------------------------------------------

code::Outcome Origins::start(int thousandths) {
  constexpr jlong kOfWindow = 100'000;  // nanoseconds: a thousandth of a window
  const jvm::Jni jni = uses_.env.jni();
  if (const auto prepared = prepare(jni); !prepared) {
    return prepared;
  }
  has_run_ = true;
  const bool was_running = is_running_.exchange(true);
  if (!was_running) {
    uses_.changes.late()->watch_changes();  // classes that are loaded from here on have the calls
  }
  if (!set_budget(jni, thousandths * kOfWindow)) {
    is_running_ = was_running;
    return std::unexpected("there is not enough memory in the program");
  }
  if (!was_running) {
    make_equal(code::Sweep::kGently);
  }
  return {};
}

void Origins::stop() {
  if (is_running_.exchange(false)) {
    (void)set_budget(uses_.env.jni(), 0);
    make_equal(code::Sweep::kGently);
  }
}

void Origins::look_again() {
  if (is_lacking_ && is_running_) {
    make_equal(code::Sweep::kGently);
  }
}

code::Outcome Origins::prepare(const jvm::Jni& jni) {
  if (const auto prepared = uses_.changes.prepare(); !prepared) {
    return prepared;
  }
  uses_.versions.begin();  // hides the calls from the debugger
  if (table_class_) {
    return {};
  }
  const std::pair<const char*, std::span<const std::uint8_t>> used[] = {
      {"java/lang/JvmdebugProbeTrace", java::trace_class()},
      {"java/lang/JvmdebugProbeOrigin", java::origin_class()},
      {kOriginsClass, java::origins_class()},
  };
  for (const auto& [name, bytes] : used) {
    auto defined = probes::left_or_defined(uses_.env, jni, name, bytes);
    if (!defined) {
      return std::unexpected(defined.error());
    }
    if (name == kOriginsClass) {
      table_class_ = jni.global(defined->get());
    }
  }
  return {};
}

bool Origins::set_budget(const jvm::Jni& jni, jlong nanoseconds) const {
  auto* const begin = jni->GetStaticMethodID(table_class_, "begin", "(J)V");
  if (begin != nullptr) {
    jni->CallStaticVoidMethod(table_class_, begin, nanoseconds);
  }
  return !jni.clear_exception() && begin != nullptr;
}

Origins::Counts Origins::counts() const {
  const jvm::Jni jni = uses_.env.jni();
  return table_class_ ? Counts{.taken = number(jni, "taken"), .thinned = number(jni, "thinned")}
                      : Counts{};
}

jint Origins::number(const jvm::Jni& jni, const char* field) const {
  auto* const id = jni->GetStaticFieldID(table_class_, field, "I");
  const jint value = id == nullptr ? 0 : jni->GetStaticIntField(table_class_, id);
  (void)jni.clear_exception();
  return value;
}

std::map<std::string, std::string> Origins::left_out() const {
  return left_out_;
}

void Origins::sweep(code::Sweep how) {
  if (needs_sweep()) {
    make_equal(how);
  }
}

void Origins::make_equal(code::Sweep how) {
  is_lacking_ = false;
  left_out_.clear();
  code::StackLook look;
  change(changing(how, look), look);
}

// Changes the classes. If the VM refuses one of them, halves find it, and it stays as it is.
void Origins::change(std::span<code::ChangedClass* const> classes, code::StackLook& look) {
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
    }
    if (!done && type) {
      left_out_.insert_or_assign(jvm::internal_name(uses_.env, type), done.error());
    }
    {
      const std::scoped_lock lock(mutex_);
      auto& calls = calls_[each];
      calls.wanted = calls.there;
    }
    if (type) {
      uses_.breakpoints.set_again(type);
    }
  }
}

std::vector<code::ChangedClass*> Origins::changing(code::Sweep how, code::StackLook& look) {
  const jvm::Jni jni = uses_.env.jni();
  const auto loaded = uses_.env.get_loaded_classes();
  std::vector<code::ChangedClass*> changing;
  if (!loaded) {
    return changing;
  }
  for (auto* const raw : *loaded) {
    const auto type = jni.adopt(raw);
    const std::string name = jvm::internal_name(uses_.env, type);
    if (!has_points(name) || !is_changeable(uses_.env, type)) {
      continue;
    }
    const auto methods = methods_of(uses_.env, type);
    const bool has = has_calls_now(type);
    const auto known = uses_.changes.known(jni, type);
    const bool is_whole = has && (!known || of(*known).without.empty());
    if (is_running_ ? is_whole : !has) {
      continue;
    }
    if (const auto possible = uses_.limits.check_possible(type); !possible) {
      left_out_.insert_or_assign(name, possible.error());
      continue;
    }
    auto without = how == code::Sweep::kWholly ? std::set<std::string>()
                                               : methods_in_the_way(type, methods, look);
    const bool waits = !without || (!is_running_ && !without->empty());
    if (waits || !without->empty()) {
      is_lacking_ = true;
      left_out_.insert_or_assign(name, kRun);
    }
    if (waits || (known && of(*known).there && *without == of(*known).without)) {
      if (waits || is_running_) {
        continue;
      }
    }
    const auto of_class = uses_.changes.class_of(jni, type);
    {
      const std::scoped_lock lock(mutex_);
      auto& calls = calls_[of_class.get()];
      calls.wanted = is_running_;
      calls.without = *std::move(without);
    }
    changing.push_back(of_class.get());
  }
  return changing;
}

// Returns the methods that have to stay as they are now; none if that is all of the class.
std::optional<std::set<std::string>> Origins::methods_in_the_way(jclass type,
                                                                 std::span<const jmethodID> methods,
                                                                 code::StackLook& look) const {
  const jvm::Jni jni = uses_.env.jni();
  const auto& stacks = uses_.limits.stacks_of(look);
  if (!stacks || !uses_.limits.check_unharmed(jni, type, {})) {
    return std::nullopt;
  }
  if (!uses_.changes.reports_breakpoints() && is_running_) {
    return std::set<std::string>();  // threads of pools would be in the way forever
  }
  std::set<jmethodID> found;
  for (jmethodID const method : methods) {
    if (is_run(*stacks, method) || uses_.limits.is_in_use(jni, *stacks, type, method)) {
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

bool Origins::has_calls_now(jclass type) const {
  return std::ranges::any_of(methods_of(uses_.env, type), [&](jmethodID method) {
    const auto code = uses_.env.get_actual_bytecodes(method);
    const auto map = code ? classfile::CodeMap::read(code->span()) : std::nullopt;
    return map && map->has(classfile::kOriginCall);
  });
}

Origins::Calls Origins::of(const code::ChangedClass& of) const {
  const std::scoped_lock lock(mutex_);
  const auto found = calls_.find(&of);
  return found == calls_.end() ? Calls{} : found->second;
}

// --- what the code of a class becomes --------------------------------------------------------

bool Origins::may_change(const code::ChangedClass& of,
                         std::span<const std::uint8_t> /*code*/) const {
  const Calls calls = this->of(of);
  return calls.wanted != calls.there;
}

void Origins::changed(const code::ChangedClass& of, bool as_decided) {
  const std::scoped_lock lock(mutex_);
  const auto found = calls_.find(&of);
  if (as_decided && found != calls_.end()) {
    found->second.there = found->second.wanted;
  }
}

bool Origins::has_calls(const code::ChangedClass& of) const {
  return this->of(of).wanted;
}

classfile::Rewritten<std::string> Origins::add(const code::ChangedClass& of,
                                               classfile::ClassFile& file,
                                               classfile::MethodInsertions& insertions) {
  const Calls calls = this->of(of);
  if (calls.wanted) {
    JVMDEBUG_CHECK(add_origin_calls(file, calls.without, insertions));
  }
  return std::string();
}

bool Origins::goes_without(const code::ChangedClass& of) {
  const std::scoped_lock lock(mutex_);
  const auto found = calls_.find(&of);
  return found != calls_.end() && std::exchange(found->second.wanted, false);
}

std::optional<std::vector<std::uint8_t>> Origins::unchanged(
    std::span<const std::uint8_t> bytes) const {
  if (!is_running_) {
    return std::nullopt;
  }
  auto file = classfile::ClassFile::read(bytes);
  if (!file || !has_points(file->name())) {
    return std::nullopt;
  }
  classfile::MethodInsertions insertions;
  if (!add_origin_calls(*file, {}, insertions) || insertions.empty()) {
    return std::nullopt;
  }
  for (const auto& [method, all] : insertions) {
    if (!file->insert(*method, all)) {
      return std::nullopt;
    }
  }
  return file->write();
}

std::optional<std::vector<std::uint8_t>> Origins::loading(
    std::string_view name, std::span<const std::uint8_t> bytes) const {
  return is_running_ && has_points(name) ? unchanged(bytes) : std::nullopt;
}

// --- redefined or forgotten classes ----------------------------------------------------------

void Origins::replaced(const code::ChangedClass& of, jclass type, const Codes& /*kept*/) {
  const bool has = has_run_ && has_calls_now(type);
  const std::scoped_lock lock(mutex_);
  auto& calls = calls_[&of];
  calls.wanted = calls.there = has;
}

void Origins::begins(const code::ChangedClass& of, jclass type) {
  if (has_run_ && has_calls_now(type)) {
    const std::scoped_lock lock(mutex_);
    auto& calls = calls_[&of];
    calls.wanted = calls.there = true;
  }
}

bool Origins::holds(const code::ChangedClass& of) const {
  const Calls calls = this->of(of);
  return calls.wanted || calls.there;
}

void Origins::forget(const code::ChangedClass& of) {
  const std::scoped_lock lock(mutex_);
  calls_.erase(&of);
}

}  // namespace jvmdebug::agent::origins
