// SPDX-License-Identifier: Apache-2.0
// The part of ProbeTable that changes what probes check, and takes them out again.
#include <algorithm>
#include <array>
#include <iterator>
#include <mutex>
#include <utility>

#include "agent/agent.h"
#include "agent/events/breakpoints.h"
#include "agent/probes/code_versions.h"
#include "agent/probes/late_environment.h"
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
                           bool calls_methods, std::span<const Given> given) {
  const auto probe = of_request(request->id);
  if (!probe) {
    return std::unexpected("the breakpoint has no probe");
  }
  const jvm::Jni jni = agent_.jni();
  NewChecks checks;
  checks.add(probe->check_type(jni), class_file);
  if (checks.types.empty()) {
    return std::unexpected("the class was unloaded");
  }
  if (auto put = put_given(jni, checks.types.front(), given); !put) {
    return put;
  }
  if (calls_others(class_file)) {
    checks_call_ = true;
  }
  const bool called_methods = std::exchange(probe->calls_methods, calls_methods);
  update_guard(jni);
  if (const auto done = redefine(checks.definitions); !done) {
    probe->calls_methods = called_methods;
    update_guard(jni);
    return std::unexpected(because("the VM refuses the new check", done.error()));
  }
  probe->class_file = class_file;
  return {};
}

jvm::Result<void> ProbeTable::redefine(std::span<const jvmtiClassDefinition> checks) {
  auto done = agent_.jvmti().redefine_classes(checks);
  agent_.code_versions().forget();
  const jvm::Jni jni = agent_.jni();
  old_frames_.look(jni, old_frames_.stacks_or_known(jni));
  return done;
}

// Frames that run already keep the calls, that of a loop which never ends for ever: there they do
// nothing from now on.
void ProbeTable::silence_left(const Class& of) {
  Probes left;
  std::ranges::copy_if(of.probes, std::back_inserter(left),
                       [](const auto& probe) { return !probe->is_on; });
  silence(left);
}

void ProbeTable::silence(const Request& request) {
  silence(all_of(request));
}

void ProbeTable::silence(std::span<const std::shared_ptr<Probe>> probes) {
  const jvm::Jni jni = agent_.jni();
  std::vector<std::vector<std::uint8_t>> class_files;
  NewChecks checks;
  for (const auto& probe : probes) {
    if (std::exchange(probe->is_silent, true) || probe->class_file.empty()) {
      continue;  // one that shares the class of another is as that one
    }
    if (auto silent = silent_check(probe->class_file)) {
      class_files.push_back(std::move(*silent));
      checks.add(probe->check_type(jni), class_files.back());
    }
  }
  if (!checks.types.empty()) {
    (void)redefine(checks.definitions);
  }
}

void ProbeTable::remove(const Request& request) {
  const auto probes = request->probe == 0 ? Probes{} : all_of(request);
  if (probes.empty()) {
    return;
  }
  if (probes.front()->is_deferred) {
    request->probe = 0;
    const jvm::Jni jni = agent_.jni();
    if (const auto type = request->location_type.lock(jni)) {
      take_back(class_of(jni, type), probes, {});
    }
    return;
  }
  {
    const std::scoped_lock lock(mutex_);
    for (const auto& probe : probes) {
      probe->is_on = false;
      by_number_.erase(probe->call.number);
    }
    has_left_ = true;
  }
  request->probe = 0;
  request->location_type.keep(agent_.jni());
  agent_.breakpoints().take_from_probe(request->location);
}

void ProbeTable::sweep(Sweep how) {
  if (!has_left_ || late_ == nullptr || agent_.vm_is_dead()) {
    return;
  }
  has_left_ = false;
  forget_unloaded(agent_.jni());
  std::vector<std::shared_ptr<Class>> classes;
  {
    const std::scoped_lock lock(mutex_);
    classes = classes_;
  }
  for (const auto& each : classes) {
    sweep(*each, how);
  }
  update_guard(agent_.jni());
  const std::scoped_lock lock(mutex_);
  std::erase_if(classes_, [](const auto& each) { return each->is_as_it_was(); });
}

// Probes that are on stay until their requests are cleared.
void ProbeTable::forget_unloaded(const jvm::Jni& jni) {
  auto kept = classes_;  // only agent threads, one at a time, change the list
  std::erase_if(kept, [&](const auto& each) {
    return each->known.collected(jni) &&
           std::ranges::none_of(each->probes, [](const auto& probe) { return probe->is_on; });
  });
  const std::scoped_lock lock(mutex_);
  classes_.swap(kept);
}

// By taking calls out. Without any breakpoint nothing can be lost, and the calls are to go.
bool ProbeTable::may_change(jmethodID method) {
  const jvm::Jni jni = agent_.jni();
  const auto raw = agent_.jvmti().get_method_declaring_class(method);
  const auto type = jni.adopt(raw.value_or(nullptr));
  if (!type || was_changed_by_others(jni, type)) {
    return false;
  }
  return agent_.breakpoints().is_empty() || check_unused(jni, type, method);
}

// A change of the class would take the lines of its frames from the stack traces that the program
// prints. A look at all stacks takes time, and steps remove requests too: not too often.
bool ProbeTable::is_run(Class& of) {
  constexpr auto kLookEvery = std::chrono::milliseconds{500};
  const auto now = std::chrono::steady_clock::now();
  if (now < of.next_look) {
    return true;
  }
  of.next_look = now + kLookEvery;
  const jvm::Jni jni = agent_.jni();
  const auto stacks = old_frames_.stacks(jni);
  return !stacks || !OldFrames::versions_in_use(agent_.jvmti(), *stacks, of.type(jni)).empty();
}

void ProbeTable::sweep(Class& of, Sweep how) {
  const auto is_off = [](const auto& probe) { return !probe->is_on; };
  const auto type = of.type(agent_.jni());
  if (!type) {
    return;
  }
  silence_left(of);
  forget_objects(of);
  // Only this thread changes the list.
  if (std::ranges::none_of(of.probes, is_off)) {
    return;
  }
  const bool is_kept = how == Sweep::kGently && !stops_in_check() && is_run(of);
  if (is_kept || std::ranges::none_of(of.probes, [&](const auto& probe) {
        return is_off(probe) && may_change(probe->request->location.method);
      })) {
    has_left_ = true;
    return;
  }
  (void)retransform(of);
  const auto is_gone = [](const auto& probe) { return !probe->is_on && !probe->is_called; };
  {
    const std::scoped_lock lock(mutex_);
    std::erase_if(of.probes, is_gone);
    has_left_ |= std::ranges::any_of(of.probes, is_off);
  }
  agent_.breakpoints().set_again(type);
  old_frames_.watch();
}

}  // namespace jvmdebug::agent::probes
