// SPDX-License-Identifier: Apache-2.0
// The part of ProbeTable for classes that the debugger redefines.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "agent/agent.h"
#include "agent/code/code_versions.h"
#include "agent/code/late_environment.h"
#include "agent/events/breakpoints.h"
#include "agent/jvm/redefinitions.h"
#include "agent/probes/check_fields.h"
#include "agent/probes/probe_table.h"
#include "agent/probes/throw_checks.h"
#include "agent/scope.h"

namespace jvmdebug::agent::probes {

// JDK-7124710 (..19): a class that a hook has changed once gets its first class file back when it
// is retransformed after a redefinition.
bool ProbeTable::vm_forgets_redefinitions() const {
  constexpr jint kRemembers = 20;
  return agent_.jvmti().feature_version() < kRemembers;
}

// What is known of the classes before. Those that were never changed hold nothing of the agent, and
// the VM leaves their methods alone, unless there is only one: see redefine_stepwise().
void ProbeTable::begin_swap(const jvm::Jni& jni, std::span<const jvmtiClassDefinition> classes) {
  swap_.end();
  std::optional<code::ThreadStacks> stacks;
  for (const jvmtiClassDefinition& each : classes) {
    const bool may_make = late_ != nullptr || !(vm_mixes_versions() || stops_in_check());
    const bool is_left = jvm::redefinitions_of(jni, each.klass) == 0 &&
                         !code::CodeMethods::of(agent_.jvmti(), each.klass).is_one();
    if (is_left || !may_make || !prepare_late_environment()) {
      continue;
    }
    auto own = late_->read_class(each.klass);
    if (!own) {
      continue;
    }
    if (!stacks) {
      stacks = old_frames_.stacks_or_known(jni);
    }
    std::vector<std::pair<jmethodID, jmethodID>> versions;
    for (jmethodID const version : code::versions_in_use(agent_.jvmti(), *stacks, each.klass)) {
      versions.emplace_back(version, agent_.code_versions().method(version)->shown);
    }
    code::ClassInsertions inserted;
    if (const auto of = known_class(jni, each.klass)) {
      const std::scoped_lock lock(mutex_);
      inserted = of->inserted;
    }
    agent_.code_versions().begin();  // frames of what is replaced are shown as those of the class
    swap_.begin(jni, each, *std::move(own), std::move(inserted), versions);
  }
}

// What the VM is to take for the new class file: with all that runs in the methods that stay. Of
// the others' probes the places are those of the code before.
std::optional<std::vector<std::uint8_t>> ProbeTable::swapped_in(const jvm::Jni& jni, jclass type,
                                                                std::span<const std::uint8_t> bytes,
                                                                bool reports) {
  if (reports) {
    auto changed =
        instrumented(bytes, {}, {}, false, ThrowReports{.has_backtrace = has_backtrace_});
    return changed ? std::optional(std::move(changed->class_file)) : std::nullopt;
  }
  const bool checks = throw_checks_.is_on;
  auto kept = swap_.keep(jni, type, bytes,
                         [checks](classfile::ClassFile& file, MethodInsertions& insertions) {
                           MethodInsertions more;
                           if (!checks || !may_check_throws(file.name()) ||
                               file.pool().has_float_nan() || !add_throw_checks(file, more)) {
                             return;
                           }
                           for (auto& [method, all] : more) {
                             insertions.try_emplace(method, std::move(all));
                           }
                         });
  if (kept) {
    return kept;
  }
  return checks ? with_throw_checks(bytes) : std::nullopt;
}

// Where the VM forgets, the hook sees what other agents make of the new class files.
void ProbeTable::begin_redefinition(std::span<const jvmtiClassDefinition> classes) {
  const jvm::Jni jni = agent_.jni();
  stepwise_.clear();
  renewing_.clear();
  begin_swap(jni, classes);
  for (const jvmtiClassDefinition& each : classes) {
    if (vm_mixes_versions()) {
      renewing_.push_back(renewing(jni, each));
      continue;
    }
    code::CodeMethods all = code::CodeMethods::of(agent_.jvmti(), each.klass);
    const bool is_one_step = stops_in_check() || all.has_others ||
                             (!all.is_one() && (jvm::redefinitions_of(jni, each.klass) == 0 ||
                                                leaves_some(jni, each, all)));
    stepwise_.push_back(is_one_step ? code::CodeMethods{} : std::move(all));
    if (!is_one_step) {
      swap_.keep_nothing(jni, each.klass);
    }
  }
  const bool forgets = vm_forgets_redefinitions() && agent_.options().probes;
  if ((forgets && prepare_late_environment()) || swap_.is_any_inserted()) {
    late_->watch_changes();
  }
  redefining_ = true;
}

void ProbeTable::end_redefinition(std::span<const jvmtiClassDefinition> classes, bool done) {
  redefining_ = false;
  std::vector<Redefined> seen;
  {
    const std::scoped_lock lock(mutex_);
    seen.swap(seen_);
  }
  const AtExit forget([this] { swap_.end(); });
  if (!done) {
    return;
  }
  const jvm::Jni jni = agent_.jni();
  const auto stacks = old_frames_.stacks_or_known(jni);
  for (std::size_t at = 0; at < classes.size(); ++at) {
    const jvmtiClassDefinition& each = classes[at];
    auto versions = code::versions_in_use(agent_.jvmti(), stacks, each.klass);
    const auto swapped = swap_.find(jni, each.klass);
    std::erase_if(versions, [&](jmethodID version) {
      const auto names = names_of({version});
      return !agent_.jvmti().is_method_obsolete(version).value_or(false) ||
             (swapped && !names.empty() && swapped->stays(version, *names.begin()));
    });
    agent_.code_versions().replaced(versions);
    if (!stops_in_check()) {
      kept_.note(jni, stacks, each.klass, {});
    }
    if (vm_forgets_redefinitions()) {
      const auto given =
          std::span(each.class_bytes, static_cast<std::size_t>(each.class_byte_count));
      keep_redefined(jni, each.klass, renewing_.empty() ? given : renewing_[at].given, seen);
    }
    if (const auto of = known_class(jni, each.klass)) {
      forget_probes(*of, swapped.get());
    }
  }
  old_frames_.look(jni, stacks);
}

// Their requests go. In methods that stay the calls stay too, and do nothing, until a sweep.
void ProbeTable::forget_probes(ProbedClass& of, const code::HotSwap::Class* swapped) {
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
        agent_.breakpoints().lost_probe(probe->request->location);
      }
    }
  }
  silence(of.probes);
  forget_objects(agent_.jni(), of);
  const auto type = of.type(agent_.jni());
  const bool has_checks = throw_checks_.is_on && type && has_throw_checks(agent_.jvmti(), type);
  const std::scoped_lock lock(mutex_);
  of.checks_throws = of.checked_throws = has_checks;
  const std::map<std::string, std::vector<std::uint8_t>> none;
  const auto& kept = swapped == nullptr ? none : swapped->kept();
  of.erase_probes([&](const auto& probe) {
    return !probe->life.is_called() || !kept.contains(probe->call.method);
  });
  for (const auto& probe : of.probes) {
    probe->call.code = kept.at(probe->call.method);
  }
  std::erase_if(of.renewed, [&](const auto& name) { return !kept.contains(name); });
  std::erase_if(of.inserted, [&](const auto& each) { return !kept.contains(each.first); });
  has_left_ = true;  // of the class there is nothing to keep
}

std::optional<std::vector<std::uint8_t>> ProbeTable::redefined(const jvm::Jni& jni,
                                                               jclass type) const {
  if (redefining_) {
    return std::nullopt;
  }
  std::vector<std::shared_ptr<const Redefined>> all;
  {
    const std::scoped_lock lock(mutex_);
    all = redefined_;
  }
  for (const auto& each : all) {
    if (jni.same(each->type.lock(jni), type)) {
      return each->class_file;
    }
  }
  return std::nullopt;
}

void ProbeTable::note_redefinition(const jvm::Jni& jni, jclass type,
                                   std::span<const std::uint8_t> bytes) {
  if (!vm_forgets_redefinitions()) {
    return;
  }
  Redefined seen{.type = jni.weak(type), .class_file = {bytes.begin(), bytes.end()}};
  const std::scoped_lock lock(mutex_);
  seen_.push_back(std::move(seen));
}

void ProbeTable::keep_redefined(const jvm::Jni& jni, jclass redefined,
                                std::span<const std::uint8_t> bytes,
                                std::span<const Redefined> seen) {
  for (const Redefined& each : seen) {  // the last one, where there were several steps
    if (jni.same(each.type.lock(jni), redefined)) {
      bytes = each.class_file;
    }
  }
  auto kept = std::make_shared<const Redefined>(
      Redefined{.type = jni.weak(redefined), .class_file = {bytes.begin(), bytes.end()}});
  // Only agent threads, one at a time, change the list.
  auto all = redefined_;
  std::erase_if(all, [&](const auto& each) {
    const auto type = each->type.lock(jni);
    return !type || jni.same(type, redefined);
  });
  all.push_back(std::move(kept));
  const std::scoped_lock lock(mutex_);
  redefined_.swap(all);
}

}  // namespace jvmdebug::agent::probes
