// SPDX-License-Identifier: Apache-2.0
// The part of ProbeTable that puts probes in.
#include <algorithm>
#include <array>
#include <cstdint>
#include <expected>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "agent/agent.h"
#include "agent/code/code_versions.h"
#include "agent/code/late_environment.h"
#include "agent/events/breakpoints.h"
#include "agent/probes/check_fields.h"
#include "agent/probes/left_class.h"
#include "agent/probes/probe_table.h"

namespace jvmdebug::agent::probes {

using events::Request;

Outcome ProbeTable::install(const Request& request, const ProbeSpec& spec) {
  const jvm::Jni jni = agent_.jni();
  const auto type = request->location_type.lock(jni);
  if (!type) {
    return std::unexpected("the class was unloaded");
  }
  const auto before = request->probe == 0 ? Probes{} : list_.all_of(request);
  if ((!before.empty() && !stops_in_check()) || !list_.are_free(spec)) {
    return std::unexpected("the breakpoint has a probe, or the number is taken");
  }
  if (const auto prepared = prepare_for(jni, request, spec); !prepared) {
    return prepared;
  }
  const auto calls = [](const CheckSpec& check) { return calls_others(check.class_file); };
  if (calls(spec) || std::ranges::any_of(spec.companions, calls)) {
    frames_.note_calls();
  }
  const auto probes = make_probes(jni, request, spec);
  if (!probes) {
    return std::unexpected(probes.error());
  }
  const auto other = spec.shares == 0 ? nullptr : list_.of_request(spec.shares);
  fill_fields(jni, *probes->front(), other.get());
  ProbedClass& of = class_of(jni, type);
  const bool was_deferred = !before.empty() && before.front()->life.is_deferred();
  put_in(of, *probes, before);
  if (spec.calls_methods) {  // else a look at all probes shows nothing new
    update_guard(jni);
  }
  if (spec.is_deferred && before.empty()) {
    request->probe = spec.number;
    for (const auto& probe : *probes) {
      probe->life.note(ProbeEvent::kDefer);
    }
    return {};
  }
  auto done = retransform(of);
  if (done) {
    request->probe = spec.number;
    request->location_type.let_go();
    if (before.empty()) {
      entered(std::array{*probes});
    } else {
      forget_replaced(of, before);
    }
  } else {
    take_back(of, *probes, before);
    if (was_deferred) {
      note(std::array{before}, ProbeEvent::kDefer);
    }
    if (!of.probes.empty() && done.error() != code::kTransformerWaits) {
      (void)retransform(of);  // the others may be gone as well
    }
  }
  update_guard(jni);
  agent_.breakpoints().set_again(type);
  old_frames_.watch();
  return done;
}

Outcome ProbeTable::prepare_for(const jvm::Jni& jni, const Request& request,
                                const ProbeSpec& spec) {
  const auto type = request->location_type.lock(jni);
  const auto known = known_class(jni, type);
  if (!known || known->probes.empty()) {  // else it was possible, for a class with these constants
    if (const auto possible = check_possible(type); !possible) {
      return possible;
    }
  }
  if (const auto prepared = prepare(jni); !prepared) {
    return prepared;
  }
  if (!spec.is_deferred) {  // else when it is put in
    const std::array<events::CodeLocation, 1> entering{request->location};
    if (const auto unused = check_unused(jni, type, request->location.method, entering); !unused) {
      return unused;
    }
  }
  return spec.writes_log ? log_.prepare(jni) : Outcome{};
}

std::expected<Probes, std::string> ProbeTable::make_probes(const jvm::Jni& jni,
                                                           const Request& request,
                                                           const ProbeSpec& spec) const {
  Probes made;
  auto first = make_probe(jni, request, spec, request->location.index, made, spec.given);
  if (!first) {
    return std::unexpected(first.error());
  }
  (*first)->calls_methods = spec.calls_methods;
  (*first)->writes_log = spec.writes_log;
  made.push_back(std::move(*first));
  for (const CompanionSpec& companion : spec.companions) {
    auto next = make_probe(jni, request, companion, companion.index, made);
    if (!next) {
      return std::unexpected(next.error());
    }
    (*next)->is_companion = true;
    made.push_back(std::move(*next));
  }
  return made;
}

// `others`: with classes that it may share.
std::expected<std::shared_ptr<Probe>, std::string> ProbeTable::make_probe(
    const jvm::Jni& jni, const Request& request, const CheckSpec& spec, jlocation index,
    const Probes& others, std::span<const Given> given) const {
  const jvm::Env& env = agent_.jvmti();
  const auto names = env.get_method_name(request->location.method);
  const auto type = request->location_type.lock(jni);
  const auto raw_loader = env.get_class_loader(type);
  if (!names || !raw_loader) {
    return std::unexpected("the class is gone");
  }
  const auto loader = jni.adopt(*raw_loader);
  auto probe = std::make_shared<Probe>();
  probe->request = request;
  probe->call = {.number = static_cast<std::uint16_t>(spec.number),
                 .method = std::string(names->name.view()) + std::string(names->signature.view()),
                 .index = static_cast<std::size_t>(index),
                 .check = spec.check,
                 .descriptor = spec.descriptor,
                 .loads = spec.loads,
                 .code = {}};
  const auto shared = std::ranges::find_if(
      others, [&](const auto& other) { return other->call.check == spec.check; });
  if (shared != others.end()) {
    probe->check = (*shared)->check;
    return probe;
  }
  const auto check = define_class(jni, spec.check.c_str(), loader, spec.class_file);
  if (!check) {
    return std::unexpected(check.error());
  }
  if (!given.empty()) {
    if (const auto offered = given_.offer(jni, *check, given); !offered) {
      return std::unexpected(offered.error());
    }
  }
  // Initializes the class: what is wrong with it shows here, and not in the program.
  const auto* const found = jni->GetStaticMethodID(*check, "c", spec.descriptor.c_str());
  given_.forget();
  if (found == nullptr) {
    (void)jni.clear_exception();
    return std::unexpected("the class of the check cannot be initialized");
  }
  probe->check = std::make_shared<CheckClass>(
      CheckClass{.known = jni.weak(check->get()), .class_file = spec.class_file});
  return probe;
}

jobjectArray ProbeTable::given(const jvm::Jni& jni) {
  return given_.take(agent_.jvmti(), jni);
}

void ProbeTable::put_in(ProbedClass& of, const Probes& probes, const Probes& before) {
  list_.add(probes);  // before the first hit, which comes as soon as the VM has the code
  const std::scoped_lock lock(mutex_);
  of.probes.insert(of.probes.end(), probes.begin(), probes.end());
  for (const auto& probe : before) {
    probe->life.note(ProbeEvent::kEnd);  // in the same change: no pass is missed
  }
}

void ProbeTable::take_back(ProbedClass& of, const Probes& probes, const Probes& before) {
  list_.remove(probes);
  const std::scoped_lock lock(mutex_);
  for (const auto& probe : probes) {
    of.erase_probes([&](const auto& each) { return each == probe; });
  }
  for (const auto& probe : before) {
    probe->life.note(ProbeEvent::kRestore);
  }
}

// The class is without it.
void ProbeTable::forget_replaced(ProbedClass& of, const Probes& before) {
  list_.remove(before);
  silence(before);
  const std::scoped_lock lock(mutex_);
  of.erase_probes([](const auto& each) { return !each->life.is_on(); });
}

}  // namespace jvmdebug::agent::probes
