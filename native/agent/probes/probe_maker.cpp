// SPDX-License-Identifier: Apache-2.0
#include "agent/probes/probe_maker.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "agent/code/code_changes.h"
#include "agent/code/code_versions.h"
#include "agent/java/generated/agent_classes.h"
#include "agent/probes/check_fields.h"
#include "agent/probes/check_frames.h"
#include "agent/probes/left_class.h"
#include "agent/probes/probe_classes.h"
#include "agent/probes/probe_list.h"

namespace jvmdebug::agent::probes {

code::Outcome ProbeMaker::prepare(const jvm::Jni& jni) {
  if (const auto prepared = changes_.prepare(); !prepared) {
    return prepared;
  }
  // Called before the first class of the agent is defined.
  versions_.begin();
  if (!probes_class_) {
    const auto found = left_or_defined(env_, jni, kProbesClass, java::probes_class());
    if (!found) {
      return std::unexpected(found.error());
    }
    probes_class_ = jni.global(found->get());
  }
  return prepare_guard(jni);
}

// A class that another version of the agent has left may lack the method.
bool ProbeMaker::can_join(const jvm::Jni& jni) const {
  const bool has_it = jni->GetStaticMethodID(probes_class_.get(), "arrive", "()V") != nullptr;
  (void)jni.clear_exception();
  return has_it;
}

code::Outcome ProbeMaker::prepare_guard(const jvm::Jni& jni) {
  if (guard_.is_made()) {
    return {};
  }
  const auto type = left_or_defined(env_, jni, kGuardClass, java::guard_class());
  if (!type) {
    return std::unexpected(type.error());
  }
  if (!guard_.make(jni, *type)) {
    return std::unexpected("the program has no room for the guard of checks");
  }
  return {};
}

void ProbeMaker::update_guard(const jvm::Jni& jni) {
  guard_.set_has_calls(jni, list_.has_calls());
}

std::expected<Probes, std::string> ProbeMaker::make(const jvm::Jni& jni,
                                                    const events::Request& request,
                                                    const ProbeSpec& spec) {
  const auto calls = [](const CheckSpec& check) { return calls_others(check.class_file); };
  if (calls(spec) || std::ranges::any_of(spec.companions, calls)) {
    frames_.note_calls();
  }
  Probes made;
  auto first = make_one(jni, request, spec, request->location.index, made, spec.given);
  if (!first) {
    return std::unexpected(first.error());
  }
  (*first)->calls_methods = spec.calls_methods;
  (*first)->writes_log = spec.writes_log;
  made.push_back(std::move(*first));
  for (const CompanionSpec& companion : spec.companions) {
    auto next = make_one(jni, request, companion, companion.index, made);
    if (!next) {
      return std::unexpected(next.error());
    }
    (*next)->is_companion = true;
    made.push_back(std::move(*next));
  }
  const auto other = spec.shares == 0 ? nullptr : list_.of_request(spec.shares);
  fill_fields(jni, *made.front(), other.get());
  return made;
}

// `others`: probes whose checks may be shared.
std::expected<std::shared_ptr<Probe>, std::string> ProbeMaker::make_one(
    const jvm::Jni& jni, const events::Request& request, const CheckSpec& spec, jlocation index,
    const Probes& others, std::span<const Given> given) {
  const auto names = env_.get_method_name(request->location.method);
  const auto type = request->location_type.lock(jni);
  const auto raw_loader = env_.get_class_loader(type);
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
  // Initializes the class, so that an error in it shows here and not in the program.
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

}  // namespace jvmdebug::agent::probes
