// SPDX-License-Identifier: Apache-2.0
// The part of ProbeTable that changes what probes check, and takes them out again.
#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>
#include <mutex>
#include <utility>

#include "agent/agent.h"
#include "agent/code/code_versions.h"
#include "agent/code/late_environment.h"
#include "agent/events/breakpoints.h"
#include "agent/probes/check_fields.h"
#include "agent/probes/probe_table.h"

namespace jvmdebug::agent::probes {

using events::Request;

void ProbeTable::NewChecks::add(jvm::LocalRef<jclass> type,
                                std::span<const std::uint8_t> class_file) {
  if (type) {
    definitions.push_back({.klass = type.get(),
                           .class_byte_count = static_cast<jint>(class_file.size()),
                           .class_bytes = class_file.data()});
    types.push_back(std::move(type));
  }
}

Outcome ProbeTable::change(const Request& request, const std::vector<std::uint8_t>& class_file,
                           bool calls_methods, std::span<const Given> given, std::size_t kept) {
  const auto probe = list_.of_request(request->id);
  if (!probe) {
    return std::unexpected("the breakpoint has no probe");
  }
  const jvm::Jni jni = agent_.jni();
  NewChecks checks;
  checks.add(probe->check_type(jni), class_file);
  if (checks.types.empty()) {
    return std::unexpected("the class was unloaded");
  }
  if (auto put = put_given(jni, checks.types.front(), given, kept); !put) {
    return put;
  }
  if (calls_others(class_file)) {
    frames_.note_calls();
  }
  const bool called_methods = std::exchange(probe->calls_methods, calls_methods);
  update_guard(jni);
  if (const auto done = redefine(checks.definitions); !done) {
    probe->calls_methods = called_methods;
    update_guard(jni);
    return std::unexpected(because("the VM refuses the new check", done.error()));
  }
  probe->check->class_file = class_file;
  return {};
}

jvm::Result<void> ProbeTable::redefine(std::span<const jvmtiClassDefinition> checks) {
  auto done = agent_.jvmti().redefine_classes(checks);
  agent_.code_versions().forget();
  const jvm::Jni jni = agent_.jni();
  old_frames_.look(jni, old_frames_.stacks_or_known(jni));
  return done;
}

void ProbeTable::silence(std::span<const Request> requests) {
  Probes all;
  for (const Request& request : requests) {
    std::ranges::copy(list_.all_of(request), std::back_inserter(all));
  }
  silence(all);
}

void ProbeTable::silence(std::span<const std::shared_ptr<Probe>> probes) {
  const jvm::Jni jni = agent_.jni();
  std::vector<std::vector<std::uint8_t>> class_files;
  NewChecks checks;
  for (const auto& probe : probes) {
    if (std::exchange(probe->check->is_silent, true)) {
      continue;
    }
    if (auto silent = silent_check(probe->check->class_file)) {
      class_files.push_back(std::move(*silent));
      checks.add(probe->check_type(jni), class_files.back());
    }
  }
  if (!checks.types.empty()) {
    (void)redefine(checks.definitions);
  }
}

void ProbeTable::remove(const Request& request) {
  const auto probes = request->probe == 0 ? Probes{} : list_.all_of(request);
  if (probes.empty()) {
    return;
  }
  if (probes.front()->life.is_deferred()) {
    request->probe = 0;
    const jvm::Jni jni = agent_.jni();
    if (const auto type = request->location_type.lock(jni)) {
      take_back(class_of(jni, type), probes, {});
    }
    return;
  }
  list_.remove(probes);
  {
    const std::scoped_lock lock(mutex_);
    for (const auto& probe : probes) {
      probe->life.note(ProbeEvent::kEnd);
    }
    has_left_ = true;
  }
  request->probe = 0;
  request->location_type.keep(agent_.jni());
  agent_.breakpoints().take_from_probe(request->location);
}

void ProbeTable::sweep(Sweep how) {
  if (late_ == nullptr || agent_.vm_is_dead()) {
    return;
  }
  sweep_throw_checks(how);
  if (!has_left_) {
    return;
  }
  has_left_ = false;
  forget_unloaded(agent_.jni());
  // Frames that run already keep the calls, that of a loop which never ends for ever: there they do
  // nothing from now on.
  silence(probes_off());
  const auto classes = classes_;  // only this thread changes the lists
  std::vector<ProbedClass*> leaving;
  Look look;
  for (const auto& each : classes) {
    const auto is_off = [](const auto& probe) { return !probe->life.is_on(); };
    if (std::ranges::none_of(each->probes, is_off) || !each->type(agent_.jni())) {
      continue;
    }
    forget_objects(agent_.jni(), *each);
    if (may_leave(*each, how, look)) {
      leaving.push_back(each.get());
    } else {
      has_left_ = true;
    }
  }
  for (std::span<ProbedClass* const> rest(leaving); !rest.empty();) {
    const auto some = rest.first(std::min(rest.size(), kClassesAtOnce));
    take_out(some, look);
    rest = rest.subspan(some.size());
  }
  old_frames_.watch();
  update_guard(agent_.jni());
  const std::scoped_lock lock(mutex_);
  std::erase_if(classes_, [](const auto& each) { return each->is_as_it_was(); });
}

Probes ProbeTable::probes_off() const {
  Probes off;
  for (const auto& each : classes_) {
    std::ranges::copy_if(each->probes, std::back_inserter(off),
                         [](const auto& probe) { return !probe->life.is_on(); });
  }
  return off;
}

void ProbeTable::left(ProbedClass& of) {
  {
    const std::scoped_lock lock(mutex_);
    of.erase_probes([](const auto& probe) { return probe->life.state() == ProbeState::kGone; });
    has_left_ |=
        std::ranges::any_of(of.probes, [](const auto& probe) { return !probe->life.is_on(); });
  }
  if (const auto type = of.type(agent_.jni())) {
    agent_.breakpoints().set_again(type);
  }
}

// Probes that are on stay until their requests are cleared.
void ProbeTable::forget_unloaded(const jvm::Jni& jni) {
  auto kept = classes_;  // only agent threads, one at a time, change the list
  std::erase_if(kept, [&](const auto& each) {
    return each->known.collected(jni) && std::ranges::none_of(each->probes, [](const auto& probe) {
             return probe->life.is_on();
           });
  });
  const std::scoped_lock lock(mutex_);
  classes_.swap(kept);
}

// By taking calls out. Without any breakpoint nothing can be lost, and the calls are to go.
bool ProbeTable::may_change(jmethodID method, Look& look) {
  const auto found = look.may_change.find(method);
  if (found != look.may_change.end()) {
    return found->second;
  }
  return look.may_change[method] = may_change_now(method, look);
}

bool ProbeTable::may_change_now(jmethodID method, Look& look) {
  const jvm::Jni jni = agent_.jni();
  const auto raw = agent_.jvmti().get_method_declaring_class(method);
  const auto type = jni.adopt(raw.value_or(nullptr));
  if (!type || was_changed_by_others(jni, type)) {
    return false;
  }
  if (agent_.breakpoints().is_empty() || stops_in_check()) {
    return true;
  }
  if (!check_unharmed(jni, type, {})) {
    return false;
  }
  const auto& stacks = stacks_of(look);
  return stacks && !is_in_use(jni, *stacks, type, method);
}

const std::optional<code::ThreadStacks>& ProbeTable::stacks_of(Look& look) const {
  if (!look.stacks) {
    look.stacks = old_frames_.stacks(agent_.jni());
  }
  return *look.stacks;
}

// A change of the class would take the lines of its frames from the stack traces that the program
// prints. A look at all stacks takes time, and steps remove requests too: not too often.
bool ProbeTable::is_run(ProbedClass& of, Look& look) {
  constexpr auto kLookEvery = std::chrono::milliseconds{500};
  const auto now = std::chrono::steady_clock::now();
  if (now < of.next_look) {
    return true;
  }
  of.next_look = now + kLookEvery;
  const auto& stacks = stacks_of(look);
  const auto type = of.type(agent_.jni());
  return !stacks || !code::versions_in_use(agent_.jvmti(), *stacks, type).empty();
}

bool ProbeTable::may_leave(ProbedClass& of, Sweep how, Look& look) {
  if (how == Sweep::kGently && !stops_in_check() && is_run(of, look)) {
    return false;
  }
  return std::ranges::any_of(of.probes, [&](const auto& probe) {
    return !probe->life.is_on() && may_change(probe->request->location.method, look);
  });
}

}  // namespace jvmdebug::agent::probes
