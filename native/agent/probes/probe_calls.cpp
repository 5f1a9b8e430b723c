// SPDX-License-Identifier: Apache-2.0
#include "agent/probes/probe_calls.h"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <mutex>
#include <ranges>
#include <utility>

#include "agent/events/breakpoints.h"
#include "agent/probes/change_limits.h"
#include "agent/probes/check_code.h"
#include "agent/probes/check_fields.h"
#include "agent/probes/old_frames.h"
#include "agent/probes/probe_classes.h"
#include "agent/probes/probe_list.h"
#include "agent/probes/probe_maker.h"

namespace jvmdebug::agent::probes {
namespace {

bool is_off(const std::shared_ptr<Probe>& probe) {
  return !probe->life.is_on();
}

bool is_gone(const std::shared_ptr<Probe>& probe) {
  return probe->life.state() == ProbeState::kGone;
}

}  // namespace

ProbeCalls::ProbeCalls(const jvm::Env& env, code::CodeChanges& changes, const Parts& parts)
    : env_(env),
      changes_(changes),
      limits_(parts.limits),
      checks_(parts.checks),
      list_(parts.list),
      maker_(parts.maker),
      old_frames_(parts.old_frames),
      breakpoints_(parts.breakpoints) {
  changes.add(*this);
}

// --- the probes of classes -------------------------------------------------------------------

std::shared_ptr<ProbedClass> ProbeCalls::find(const code::ChangedClass& of) const {
  const std::scoped_lock lock(mutex_);
  const auto found = classes_.find(&of);
  return found == classes_.end() ? nullptr : found->second;
}

std::shared_ptr<ProbedClass> ProbeCalls::known(const jvm::Jni& jni, jclass type) const {
  const auto changed = changes_.known(jni, type);
  return changed ? find(*changed) : nullptr;
}

std::shared_ptr<ProbedClass> ProbeCalls::class_of(const jvm::Jni& jni, jclass type) {
  auto changed = changes_.class_of(jni, type);
  const std::scoped_lock lock(mutex_);
  auto& found = classes_[changed.get()];
  if (!found) {
    found = std::make_shared<ProbedClass>();
    found->code = std::move(changed);
  }
  return found;
}

std::vector<std::shared_ptr<ProbedClass>> ProbeCalls::all() const {
  std::vector<std::shared_ptr<ProbedClass>> found;
  const std::scoped_lock lock(mutex_);
  std::ranges::copy(std::views::values(classes_), std::back_inserter(found));
  return found;
}

void ProbeCalls::put_in(ProbedClass& of, const Probes& probes, const Probes& before) {
  list_.add(probes);  // before the first hit, which comes as soon as the VM has the new code
  const std::scoped_lock lock(mutex_);
  of.probes.insert(of.probes.end(), probes.begin(), probes.end());
  for (const auto& probe : before) {
    probe->life.note(ProbeEvent::kEnd);  // replaced by the same change, so no pass is missed
  }
}

void ProbeCalls::take_back(ProbedClass& of, const Probes& probes, const Probes& before) {
  list_.remove(probes);
  const std::scoped_lock lock(mutex_);
  for (const auto& probe : probes) {
    of.erase_probes([&](const auto& each) { return each == probe; });
  }
  for (const auto& probe : before) {
    probe->life.note(ProbeEvent::kRestore);
  }
}

void ProbeCalls::forget_replaced(ProbedClass& of, const Probes& before) {
  list_.remove(before);
  checks_.silence(before);
  const std::scoped_lock lock(mutex_);
  of.erase_probes(is_off);
}

void ProbeCalls::end(const Probes& probes) {
  list_.remove(probes);
  const std::scoped_lock lock(mutex_);
  for (const auto& probe : probes) {
    probe->life.note(ProbeEvent::kEnd);
  }
  has_left_ = true;
}

// --- sweeping --------------------------------------------------------------------------------

void ProbeCalls::sweep(code::Sweep how) {
  if (!has_left_) {
    return;
  }
  bool has_left = false;
  const jvm::Jni jni = env_.jni();
  // Frames that run now keep the calls, in a loop that never ends for ever. From now on the checks
  // do nothing.
  checks_.silence(all_off());
  std::vector<ProbedClass*> leaving;
  code::StackLook look;
  const auto classes = all();
  for (const auto& each : classes) {
    forget_gone(*each);  // a change for another client may have removed their calls
    if (std::ranges::none_of(each->probes, is_off) || !each->type(jni)) {
      continue;
    }
    forget_objects(jni, *each);
    if (may_leave(*each, how, look)) {
      leaving.push_back(each.get());
    } else {
      has_left = true;
    }
  }
  for (std::span<ProbedClass* const> rest(leaving); !rest.empty();) {
    const auto some = rest.first(std::min(rest.size(), code::kClassesAtOnce));
    take_out(some, look);
    rest = rest.subspan(some.size());
  }
  has_left_ = has_left || std::ranges::any_of(leaving, [](const ProbedClass* of) {
                return std::ranges::any_of(of->probes, is_off);
              });
  changes_.note_unneeded();
  old_frames_.watch();
  maker_.update_guard(jni);
}

// Removes calls that need not stay, by one change of all these classes. If the VM refuses that,
// changes each class alone.
void ProbeCalls::take_out(std::span<ProbedClass* const> classes, code::StackLook& look) {
  std::vector<code::ChangedClass*> changing;
  std::ranges::transform(classes, std::back_inserter(changing),
                         [](const ProbedClass* of) { return of->code.get(); });
  const auto done = changes_.change(changing, look);
  if (!done && code::is_of_classes(done.error()) && classes.size() > 1) {
    for (code::ChangedClass* const each : changing) {
      (void)changes_.change({&each, 1}, look);
    }
  }
  const jvm::Jni jni = env_.jni();
  for (ProbedClass* const of : classes) {
    forget_gone(*of);
    if (const auto type = of->type(jni)) {
      breakpoints_.set_again(type);
    }
  }
}

Probes ProbeCalls::all_off() const {
  Probes off;
  const std::scoped_lock lock(mutex_);
  for (const auto& each : std::views::values(classes_)) {
    std::ranges::copy_if(each->probes, std::back_inserter(off), is_off);
  }
  return off;
}

void ProbeCalls::forget_gone(ProbedClass& of) {
  const std::scoped_lock lock(mutex_);
  of.erase_probes(is_gone);
}

// Whether threads run the class. Looks only now and then: reading all stacks takes time, and steps,
// which remove requests too, call this.
bool ProbeCalls::is_run(ProbedClass& of, code::StackLook& look) const {
  constexpr auto kLookEvery = std::chrono::milliseconds{500};
  const auto now = std::chrono::steady_clock::now();
  if (now < of.next_look) {
    return true;
  }
  of.next_look = now + kLookEvery;
  const auto& stacks = limits_.stacks_of(look);
  const auto type = of.type(env_.jni());
  return !stacks || !code::versions_in_use(env_, *stacks, type).empty();
}

bool ProbeCalls::may_leave(ProbedClass& of, code::Sweep how, code::StackLook& look) const {
  if (how == code::Sweep::kGently && changes_.reports_breakpoints() && is_run(of, look)) {
    return false;
  }
  return std::ranges::any_of(of.probes, [&](const auto& probe) {
    return is_off(probe) && limits_.may_change(probe->request->location.method, look);
  });
}

// --- what the code of a class becomes --------------------------------------------------------

std::set<jmethodID> ProbeCalls::decide(const code::ChangedClass& of, jclass /*type*/,
                                       code::StackLook& look) {
  std::set<jmethodID> changed;
  const auto found = find(of);
  if (!found) {
    return changed;
  }
  decltype(found->next_calls) calls;
  for (const auto& probe : found->probes) {
    const jmethodID method = probe->request->location.method;
    const bool stays = probe->life.is_on()
                           ? !probe->life.is_deferred()
                           : probe->life.is_called() && !limits_.may_change(method, look);
    if (stays != probe->life.is_called()) {
      changed.insert(method);
    }
    if (stays) {
      calls.insert(probe);
    }
  }
  const std::scoped_lock lock(mutex_);
  found->next_calls.swap(calls);
  return changed;
}

void ProbeCalls::keep(const code::ChangedClass& of) {
  if (const auto found = find(of)) {
    const std::scoped_lock lock(mutex_);
    found->next_calls.clear();
    std::ranges::copy_if(found->probes, std::inserter(found->next_calls, found->next_calls.end()),
                         [](const auto& probe) { return probe->life.is_called(); });
  }
}

std::set<jmethodID> ProbeCalls::methods(const code::ChangedClass& of) const {
  std::set<jmethodID> methods;
  const auto found = find(of);
  for (const auto& probe : found ? found->probes : Probes{}) {
    methods.insert(probe->request->location.method);
  }
  return methods;
}

void ProbeCalls::changed(const code::ChangedClass& of, bool as_decided) {
  const auto found = find(of);
  const std::scoped_lock lock(mutex_);
  for (const auto& probe : found ? found->probes : Probes{}) {
    const bool calls = as_decided && found->next_calls.contains(probe);
    probe->life.note(calls ? ProbeEvent::kCodeCalls : ProbeEvent::kCodeLacks);
  }
}

bool ProbeCalls::has_calls(const code::ChangedClass& of) const {
  const std::scoped_lock lock(mutex_);
  const auto found = classes_.find(&of);
  return found != classes_.end() && !found->second->next_calls.empty();
}

classfile::Rewritten<std::string> ProbeCalls::add(const code::ChangedClass& of,
                                                  classfile::ClassFile& file,
                                                  classfile::MethodInsertions& insertions) {
  const std::scoped_lock lock(mutex_);
  const auto found = classes_.find(&of);
  std::vector<CheckCall*> calls;
  for (const auto& probe : found == classes_.end() ? Probes{} : found->second->probes) {
    if (found->second->next_calls.contains(probe)) {
      calls.push_back(&probe->call);
    }
  }
  return add_calls(file, calls, joins_, insertions);
}

bool ProbeCalls::is_on() const {
  const std::scoped_lock lock(mutex_);
  return std::ranges::any_of(std::views::values(classes_),
                             [](const auto& each) { return !each->next_calls.empty(); });
}

// --- redefined or unloaded classes -----------------------------------------------------------

// Ends all probes of a class. The VM reports their requests from now on, if there still is an
// instruction.
void ProbeCalls::end_all(const ProbedClass& of) {
  list_.remove(of.probes);
  std::vector<std::pair<std::shared_ptr<Probe>, bool>> ended;
  {
    const std::scoped_lock lock(mutex_);
    for (const auto& probe : of.probes) {
      if (probe->life.is_on()) {
        ended.emplace_back(probe, probe->life.is_deferred());
        probe->life.note(ProbeEvent::kEnd);
      }
    }
  }
  for (const auto& [probe, was_deferred] : ended) {
    if (!probe->is_companion) {
      probe->request->probe = 0;
      if (!was_deferred) {
        breakpoints_.lost_probe(probe->request->location);
      }
    }
  }
}

void ProbeCalls::replaced(const code::ChangedClass& of, jclass /*type*/, const Codes& kept) {
  const auto found = find(of);
  if (!found) {
    return;
  }
  end_all(*found);
  checks_.silence(found->probes);
  forget_objects(env_.jni(), *found);
  const std::scoped_lock lock(mutex_);
  found->erase_probes([&](const auto& probe) {
    return !probe->life.is_called() || !kept.contains(probe->call.method);
  });
  for (const auto& probe : found->probes) {
    probe->call.code = kept.at(probe->call.method);
  }
  has_left_ = true;
}

bool ProbeCalls::holds(const code::ChangedClass& of) const {
  const auto found = find(of);
  return found && !found->probes.empty();
}

// Probes that are on stay until their requests are cleared.
bool ProbeCalls::holds_unloaded(const code::ChangedClass& of) const {
  const auto found = find(of);
  return found && !std::ranges::all_of(found->probes, is_off);
}

void ProbeCalls::forget(const code::ChangedClass& of) {
  std::shared_ptr<ProbedClass> forgotten;  // released after the lock
  const std::scoped_lock lock(mutex_);
  if (const auto found = classes_.find(&of); found != classes_.end()) {
    forgotten = std::move(found->second);
    classes_.erase(found);
  }
}

}  // namespace jvmdebug::agent::probes
