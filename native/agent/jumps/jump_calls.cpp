// SPDX-License-Identifier: Apache-2.0
#include "agent/jumps/jump_calls.h"

#include <algorithm>
#include <mutex>
#include <ranges>
#include <utility>
#include <vector>

#include "agent/code/class_insertions.h"
#include "agent/code/thread_stacks.h"
#include "agent/events/breakpoints.h"
#include "agent/probes/change_limits.h"
#include "agent/probes/old_frames.h"

namespace jvmdebug::agent::jumps {
namespace {

constexpr std::uint16_t kLastNumber = INT16_MAX;

}  // namespace

JumpCalls::JumpCalls(const jvm::Env& env, code::CodeChanges& changes,
                     const probes::ChangeLimits& limits, events::Breakpoints& breakpoints,
                     const probes::OldFrames& old_frames)
    : env_(env),
      changes_(changes),
      limits_(limits),
      breakpoints_(breakpoints),
      old_frames_(old_frames) {
  changes.add(*this);
}

std::expected<std::uint16_t, std::string> JumpCalls::put_in(const jvm::Jni& jni, jclass type,
                                                            jmethodID method, JumpSpec jump) {
  const auto of = changes_.class_of(jni, type);
  const auto names = changes_.names_of({method});
  if (names.empty()) {
    return std::unexpected("the method is gone");
  }
  {
    const std::scoped_lock lock(mutex_);
    Class& known = classes_[of.get()];
    known.code = of;
    Method& entry = known.methods[*names.begin()];
    entry.id = method;
    if (entry.there && entry.there->is_like(jump)) {
      return entry.there->number;
    }
    last_number_ = static_cast<std::uint16_t>(last_number_ % kLastNumber + 1);
    jump.number = last_number_;
    entry.wanted = std::make_shared<const JumpSpec>(std::move(jump));
  }
  const auto done = changes_.change(*of);
  breakpoints_.set_again(type);
  const std::scoped_lock lock(mutex_);
  Method& entry = classes_[of.get()].methods[*names.begin()];
  if (!done) {
    entry.wanted = entry.there;
    return std::unexpected(done.error());
  }
  return entry.wanted->number;
}

// --- sweeping --------------------------------------------------------------------------------

void JumpCalls::sweep(code::Sweep how) {
  const jvm::Jni jni = env_.jni();
  std::vector<code::ChangedClass*> changing;
  code::StackLook look;
  const std::vector<Candidate> known = candidates(how);
  for (const Candidate& each : known) {
    if (may_leave(each, how, look)) {
      const std::scoped_lock lock(mutex_);
      if (const auto found = classes_.find(each.code.get()); found != classes_.end()) {
        for (Method& method : std::views::values(found->second.methods)) {
          method.wanted = nullptr;
        }
        changing.push_back(each.code.get());
      }
    }
  }
  for (code::ChangedClass* const each : changing) {
    (void)changes_.change({&each, 1}, look);  // if it fails, the code stays and does nothing
    if (const auto type = each->type(jni)) {
      breakpoints_.set_again(type);
    }
    const std::scoped_lock lock(mutex_);
    auto& methods = classes_[each].methods;
    for (Method& method : std::views::values(methods)) {
      method.wanted = method.there;
    }
    std::erase_if(methods, [](const auto& entry) { return !entry.second.is_any(); });
  }
  if (!changing.empty()) {
    changes_.note_unneeded();
    old_frames_.watch();
  }
}

bool JumpCalls::needs_sweep() const {
  const std::scoped_lock lock(mutex_);
  return std::ranges::any_of(std::views::values(classes_),
                             [](const Class& each) { return !each.methods.empty(); });
}

// Looks only now and then, as reading all stacks takes time.
std::vector<JumpCalls::Candidate> JumpCalls::candidates(code::Sweep how) {
  constexpr auto kLookEvery = std::chrono::seconds{1};
  const auto now = std::chrono::steady_clock::now();
  std::vector<Candidate> found;
  const std::scoped_lock lock(mutex_);
  for (Class& each : std::views::values(classes_)) {
    if (each.methods.empty() || (how == code::Sweep::kGently && now < each.next_look)) {
      continue;
    }
    each.next_look = now + kLookEvery;
    Candidate& candidate = found.emplace_back(Candidate{.code = each.code, .methods = {}});
    for (const Method& method : std::views::values(each.methods)) {
      candidate.methods.push_back(method.id);
    }
  }
  return found;
}

bool JumpCalls::may_leave(const Candidate& of, code::Sweep how, code::StackLook& look) const {
  const auto type = of.code->type(env_.jni());
  if (!type) {
    return false;
  }
  if (how == code::Sweep::kGently) {
    const auto& stacks = limits_.stacks_of(look);
    if (!stacks || !code::versions_in_use(env_, *stacks, type).empty()) {
      return false;
    }
  }
  return std::ranges::all_of(of.methods,
                             [&](jmethodID method) { return limits_.may_change(method, look); });
}

// --- what the code of a class becomes --------------------------------------------------------

std::set<jmethodID> JumpCalls::decide(const code::ChangedClass& of, jclass /*type*/,
                                      code::StackLook& /*look*/) {
  std::set<jmethodID> changed;
  const std::scoped_lock lock(mutex_);
  const auto found = classes_.find(&of);
  if (found != classes_.end()) {
    for (Method& each : std::views::values(found->second.methods)) {
      each.next = each.wanted;
      if (each.next != each.there) {
        changed.insert(each.id);
      }
    }
  }
  return changed;
}

void JumpCalls::keep(const code::ChangedClass& of) {
  const std::scoped_lock lock(mutex_);
  if (const auto found = classes_.find(&of); found != classes_.end()) {
    for (Method& each : std::views::values(found->second.methods)) {
      each.next = each.there;
    }
  }
}

std::set<jmethodID> JumpCalls::methods(const code::ChangedClass& of) const {
  std::set<jmethodID> methods;
  const std::scoped_lock lock(mutex_);
  if (const auto found = classes_.find(&of); found != classes_.end()) {
    for (const Method& each : std::views::values(found->second.methods)) {
      methods.insert(each.id);
    }
  }
  return methods;
}

void JumpCalls::changed(const code::ChangedClass& of, bool as_decided) {
  const std::scoped_lock lock(mutex_);
  if (const auto found = classes_.find(&of); found != classes_.end()) {
    for (Method& each : std::views::values(found->second.methods)) {
      each.there = as_decided ? each.next : nullptr;
    }
  }
}

bool JumpCalls::has_calls(const code::ChangedClass& of) const {
  const std::scoped_lock lock(mutex_);
  const auto found = classes_.find(&of);
  return found != classes_.end() &&
         std::ranges::any_of(std::views::values(found->second.methods),
                             [](const Method& each) { return each.next != nullptr; });
}

classfile::Rewritten<std::string> JumpCalls::add(const code::ChangedClass& of,
                                                 classfile::ClassFile& file,
                                                 classfile::MethodInsertions& insertions) {
  const std::scoped_lock lock(mutex_);
  const auto found = classes_.find(&of);
  if (found == classes_.end()) {
    return std::string();
  }
  for (const classfile::Method& each : file.methods()) {
    const auto jumping = found->second.methods.find(code::full_name(file, each));
    if (jumping == found->second.methods.end() || !jumping->second.next) {
      continue;
    }
    JVMDEBUG_ASSIGN(auto jump, jump_code(file, each, *jumping->second.next));
    auto& all = insertions[&each];
    all.insert(all.begin(), std::move(jump));  // before what else is at the first instruction
  }
  return std::string();
}

bool JumpCalls::is_on() const {
  const std::scoped_lock lock(mutex_);
  return std::ranges::any_of(std::views::values(classes_), [](const Class& of) {
    return std::ranges::any_of(std::views::values(of.methods),
                               [](const Method& each) { return each.next != nullptr; });
  });
}

// --- redefined or forgotten classes ----------------------------------------------------------

void JumpCalls::replaced(const code::ChangedClass& of, jclass /*type*/, const Codes& kept) {
  const std::scoped_lock lock(mutex_);
  if (const auto found = classes_.find(&of); found != classes_.end()) {
    std::erase_if(found->second.methods,
                  [&](const auto& each) { return !kept.contains(each.first); });
  }
}

bool JumpCalls::holds(const code::ChangedClass& of) const {
  const std::scoped_lock lock(mutex_);
  const auto found = classes_.find(&of);
  return found != classes_.end() &&
         std::ranges::any_of(std::views::values(found->second.methods), &Method::is_any);
}

void JumpCalls::forget(const code::ChangedClass& of) {
  const std::scoped_lock lock(mutex_);
  classes_.erase(&of);
}

}  // namespace jvmdebug::agent::jumps
