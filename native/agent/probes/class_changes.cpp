// SPDX-License-Identifier: Apache-2.0
// The part of ProbeTable that decides what the code of a class becomes.
//
// Where the VM reports breakpoints, a method is not changed while frames run it that a change of
// its class has left alone, see kept_frames.h: in frames of another version the thread would have
// to step. Where it does not, every breakpoint needs a probe: there methods with probes, and those
// that frames run, come out of each change as others, with operand stacks of another depth.
//
// What HotSpot does to older versions of methods decides how code may be changed: see
// older_versions.h. Up to JDK 16 all methods of a class come out of each change as others, and a
// class that somebody else has changed gets no probes. From JDK 17 on never all of them at once.
#include <algorithm>
#include <array>
#include <cstddef>
#include <mutex>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "agent/agent.h"
#include "agent/code/code_versions.h"
#include "agent/code/late_environment.h"
#include "agent/events/breakpoints.h"
#include "agent/events/sender.h"
#include "agent/jvm/local_capacity.h"
#include "agent/jvm/redefinitions.h"
#include "agent/probes/probe_table.h"
#include "agent/probes/throw_checks.h"
#include "agent/scope.h"

namespace jvmdebug::agent::probes {
namespace {

// Depths that take turns: more than one, as the VM may refuse a change. And that of a class that
// has no probes any more.
constexpr std::uint16_t kDepths = 4;
constexpr std::uint16_t kDepthWithoutProbes = kDepths + 1;

}  // namespace

// Has the VM take the code of the class with the probes that it is to have.
Outcome ProbeTable::retransform(ProbedClass& of) {
  if (!of.type(agent_.jni())) {
    return std::unexpected("the class was unloaded");
  }
  Look look;
  const std::array<ProbedClass*, 1> one{&of};
  auto done = retransform(one, look);
  return of.rewrite_error.empty() ? done : std::unexpected(of.rewrite_error);
}

// The same for several, by one change: all of them, or none. An error is that of the VM. Those that
// were unloaded are left out.
Outcome ProbeTable::retransform(std::span<ProbedClass* const> classes, Look& look) {
  const jvm::Jni jni = agent_.jni();
  std::vector<jvm::LocalRef<jclass>> types;
  std::vector<ProbedClass*> changing;
  jvm::announce(jni.raw(), classes.size());
  for (ProbedClass* const of : classes) {
    if (auto type = of->type(jni)) {
      types.push_back(std::move(type));
      changing.push_back(of);
    }
  }
  if (types.empty()) {
    return {};
  }
  // The VM removes all breakpoints of the class, which these do not bear: see Breakpoints.
  const auto removed = agent_.breakpoints().remove_before_redefinition(types);
  const AtExit restore([&] { agent_.breakpoints().restore(removed); });
  if (!agent_.code_versions().begin_change()) {
    return std::unexpected(kBusy);
  }
  const auto running = stops_in_check() ? old_frames_.stacks_or_known(jni) : code::ThreadStacks{};
  std::vector<ClassChange> changes;
  for (std::size_t at = 0; at < types.size(); ++at) {
    ProbedClass& of = *changing[at];
    std::set<jmethodID> methods = decide_calls(of, look);
    methods.merge(decide_renewal(jni, running, of));
    changes.push_back({.of = &of, .type = types[at], .methods = std::move(methods)});
    begin_stepwise(jni, changes.back());
  }
  bool stays_on = false;
  {
    const std::scoped_lock lock(mutex_);
    std::ranges::for_each(changing, [](ProbedClass* of) { of->rewrite_error.clear(); });
    stays_on = is_any_changed();
  }
  const std::vector<jclass> plain(types.begin(), types.end());
  const auto done = rewrite(jni, plain, changes, stays_on);
  end_stepwise(jni, changes, stays_on, done.has_value());
  agent_.code_versions().end_change();
  const std::scoped_lock lock(mutex_);
  for (ProbedClass* const of : changing) {
    changed(*of, done.has_value());
  }
  if (!done && done.error() == code::kGivenUp) {
    return std::unexpected(code::kTransformerWaits);
  }
  return done ? Outcome{}
              : std::unexpected(because("the VM refuses the changed class", done.error()));
}

// One step of it.
jvm::Result<void> ProbeTable::rewrite(const jvm::Jni& jni, std::span<const jclass> types,
                                      std::span<const ClassChange> changes, bool stays_on) {
  const auto done = [&] {
    const events::Breakpoints::Redefining redefining(agent_.breakpoints());
    return late_->rewrite(types, stays_on);
  }();
  agent_.code_versions().forget();
  const auto stacks = old_frames_.stacks_or_known(jni);
  old_frames_.look(jni, stacks);
  for (const ClassChange& each : done ? changes : std::span<const ClassChange>{}) {
    older_versions_.note(jni, each.type, each.methods, each.before, each.is_unused);
    if (!stops_in_check()) {
      note_change(jni, stacks, each.type, each.methods);
    }
  }
  return done;
}

// Calls that are not to stay, by one change of all. Where the VM refuses it, one of them is to
// blame.
void ProbeTable::take_out(std::span<ProbedClass* const> classes, Look& look) {
  const auto done = retransform(classes, look);
  if (!done && is_of_classes(done.error()) && classes.size() > 1) {
    for (std::size_t at = 0; at < classes.size(); ++at) {
      (void)retransform(classes.subspan(at, 1), look);
    }
  }
  std::ranges::for_each(classes, [this](ProbedClass* of) { left(*of); });
}

bool is_of_classes(const std::string& error) {
  return error != kBusy && error != code::kTransformerWaits;
}

// Under the lock.
void ProbeTable::changed(ProbedClass& of, bool done) {
  const bool is_rewritten = of.rewrite_error.empty();
  for (const auto& probe : of.probes) {
    if (done) {
      const bool calls = is_rewritten && of.next_calls.contains(probe);
      probe->life.note(calls ? ProbeEvent::kCodeCalls : ProbeEvent::kCodeLacks);
    }
  }
  if (done && is_rewritten) {
    of.reported_throws = of.reports_throws;
    of.checked_throws = of.checks_throws;
  }
}

// Which calls the next code of the class has. Returns the methods that it changes.
std::set<jmethodID> ProbeTable::decide_calls(ProbedClass& of, Look& look) {
  decltype(of.next_calls) calls;
  std::set<jmethodID> changed;
  for (const auto& probe : of.probes) {
    const jmethodID method = probe->request->location.method;
    const bool stay = probe->life.is_on() ? !probe->life.is_deferred()
                                          : probe->life.is_called() && !may_change(method, look);
    if (stay != probe->life.is_called()) {
      changed.insert(method);
    }
    if (stay) {
      calls.insert(probe);
    }
  }
  {
    const std::scoped_lock lock(mutex_);
    of.next_calls.swap(calls);
  }
  if (of.reports_throws != of.reported_throws) {
    changed.merge(constructors_of(of.type(agent_.jni())));
  }
  return changed;
}

std::set<jmethodID> ProbeTable::constructors_of(jclass type) const {
  std::set<jmethodID> found;
  const auto methods = agent_.jvmti().get_class_methods(type);
  if (methods) {
    for (jmethodID const method : *methods) {
      const auto name = agent_.jvmti().get_method_name(method);
      if (name && name->name.view() == "<init>") {
        found.insert(method);
      }
    }
  }
  return found;
}

// Whether the hook has anything to do after the next change. Under the lock.
bool ProbeTable::is_any_changed() const {
  return throw_checks_.is_on || !redefined_.empty() ||
         std::ranges::any_of(classes_, [](const auto& each) {
           return each->reports_throws || !each->next_calls.empty();
         });
}

// Returns the methods that it changes.
std::set<jmethodID> ProbeTable::decide_renewal(const jvm::Jni& jni,
                                               const code::ThreadStacks& stacks,
                                               ProbedClass& of) const {
  std::set<jmethodID> methods = methods_to_renew(stacks, of.type(jni));
  if (stops_in_check()) {
    for (const auto& probe : of.probes) {
      methods.insert(probe->request->location.method);
    }
  }
  std::set<std::string> names = names_of(methods);
  const std::scoped_lock lock(mutex_);
  of.to_renew = std::move(names);
  return methods;
}

// By name and descriptor.
std::set<std::string> ProbeTable::names_of(const std::set<jmethodID>& methods) const {
  std::set<std::string> names;
  for (jmethodID const method : methods) {
    if (const auto name = agent_.jvmti().get_method_name(method)) {
      names.insert(std::string(name->name.view()) + std::string(name->signature.view()));
    }
  }
  return names;
}

std::set<jmethodID> ProbeTable::methods_to_renew(const code::ThreadStacks& stacks,
                                                 jclass type) const {
  std::set<jmethodID> methods;
  if (stops_in_check()) {
    for (jmethodID const version : code::versions_in_use(agent_.jvmti(), stacks, type)) {
      methods.insert(agent_.code_versions().method(version)->shown);
    }
  } else if (vm_mixes_versions()) {
    if (const auto all = agent_.jvmti().get_class_methods(type)) {
      methods.insert(all->begin(), all->end());
    }
  } else if (const auto all = code::CodeMethods::of(agent_.jvmti(), type); all.is_one()) {
    return all.all;
  }
  return methods;
}

// Whether frames of the method, or of what comes out as another with it, bar a change.
bool ProbeTable::is_in_use(const jvm::Jni& jni, const code::ThreadStacks& stacks, jclass type,
                           jmethodID method) {
  std::set<jmethodID> methods = methods_to_renew(stacks, type);
  methods.insert(method);
  return std::ranges::any_of(methods, [&](jmethodID each) {
    return old_frames_.would_matter(stacks, each) || kept_.has(jni, stacks, each);
  });
}

void ProbeTable::note_change(const jvm::Jni& jni, const code::ThreadStacks& stacks, jclass type,
                             const std::set<jmethodID>& changed) {
  if (!vm_mixes_versions()) {
    kept_.note(jni, stacks, type, changed);
    return;
  }
  std::erase_if(changed_, [&](const Changed& each) {
    const auto known = each.type.lock(jni);
    return !known || jni.same(known, type);
  });
  changed_.push_back({.type = jni.weak(type), .times = jvm::redefinitions_of(jni, type)});
}

bool ProbeTable::vm_mixes_versions() const {
  constexpr jint kKeepsThemApart = 17;
  return !stops_in_check() && agent_.jvmti().feature_version() < kKeepsThemApart;
}

bool ProbeTable::was_changed_by_others(const jvm::Jni& jni, jclass type) const {
  if (!vm_mixes_versions()) {
    return false;
  }
  const auto ours = std::ranges::find_if(
      changed_, [&](const Changed& each) { return jni.same(each.type.lock(jni), type); });
  const auto times = jvm::redefinitions_of(jni, type);
  return times && *times != (ours == changed_.end() ? 0 : ours->times.value_or(0));
}

// The VM is about to take the bytes of a class, for us or for another agent.
std::optional<std::vector<std::uint8_t>> ProbeTable::rewrite(const jvm::Jni& jni, jclass type,
                                                             std::span<const std::uint8_t> bytes) {
  const auto found = known_class(jni, type);
  if (redefining_) {
    note_redefinition(jni, type, bytes);
  }
  if (!found) {
    return throw_checks_.is_on ? with_throw_checks(bytes) : std::nullopt;
  }
  if (redefining_) {
    return swapped_in(jni, type, bytes, found->reports_throws);
  }
  const std::scoped_lock lock(mutex_);
  const auto reports = found->reports_throws
                           ? std::optional(ThrowReports{.has_backtrace = has_backtrace_})
                           : std::nullopt;
  std::vector<CheckCall> calls;
  std::vector<std::shared_ptr<Probe>> probes;
  for (const auto& probe : found->probes) {
    if (found->next_calls.contains(probe)) {
      probes.push_back(probe);
      calls.push_back(probe->call);
    }
  }
  const auto renewed = found->renewed;
  const bool checks = found->checks_throws;
  const auto renewal = found->deepened.empty()
                           ? next_renewal(*found, !calls.empty() || reports || checks)
                           : Renewal{.methods = found->deepened, .words = kDepthWithoutProbes};
  if (calls.empty() && !reports && !checks && renewal.methods.empty()) {
    found->inserted.clear();
    return std::nullopt;
  }
  auto changed = instrumented(bytes, calls, renewal, joins_, reports, checks);
  if (!changed && checks) {  // which are no reason to be without the others
    found->checks_throws = false;
    changed = instrumented(bytes, calls, renewal, joins_, reports);
  }
  if (!changed) {
    found->rewrite_error = classfile::text(changed.error());
    found->renewed = renewed;
    return std::vector<std::uint8_t>{};  // refused
  }
  for (std::size_t number = 0; number < calls.size(); ++number) {
    probes[number]->call.code = std::move(calls[number].code);
  }
  if (!changed->left_out.empty()) {
    found->rewrite_error = "another agent has changed the method";
    agent_.sender().run_soon([this] { agent_.code_versions().forget(); }, false);
  }
  found->inserted = std::move(changed->inserted);
  return std::move(changed->class_file);
}

// Without probes, a method that was renewed before is another one with the depth that the compiler
// gave it.
Renewal ProbeTable::next_renewal(ProbedClass& of, bool has_probes) {
  Renewal next{.methods = of.to_renew, .words = kDepthWithoutProbes};
  if (has_probes) {
    of.depth = static_cast<std::uint16_t>(of.depth % kDepths + 1);
    next.words = of.depth;
  } else {
    std::erase_if(next.methods, [&](const auto& name) { return of.renewed.contains(name); });
  }
  of.renewed = next.methods;
  return next;
}

}  // namespace jvmdebug::agent::probes
