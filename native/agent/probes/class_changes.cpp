// SPDX-License-Identifier: Apache-2.0
// The part of ProbeTable that decides what the code of a class becomes.
//
// HotSpot takes a method that comes out of a change as it was for the same version. Once a later
// change of the class changes the method, it gives frames from before both changes for frames of
// the newest version, with indices that have no meaning in it. So methods with probes, and those
// that frames run, come out of each change as others: with operand stacks of another depth.
#include <algorithm>
#include <mutex>
#include <utility>

#include "agent/agent.h"
#include "agent/events/sender.h"
#include "agent/probes/code_versions.h"
#include "agent/probes/probe_table.h"

namespace jvmdebug::agent::probes {
namespace {

// Depths that take turns: more than one, as the VM may refuse a change. And that of a class that
// has no probes any more.
constexpr std::uint16_t kDepths = 4;
constexpr std::uint16_t kDepthWithoutProbes = kDepths + 1;

}  // namespace

// Only where the VM reports no breakpoints. Where it does, it reports them in frames of the same
// version too, and in others the thread has to step.
void ProbeTable::decide_renewal(const jvm::Jni& jni, Class& of) const {
  if (!stops_in_check()) {
    return;
  }
  std::set<jmethodID> methods;
  for (const auto& probe : of.probes) {
    methods.insert(probe->request->location.method);
  }
  for (jmethodID const method : old_frames_.methods_in_use(jni, of.type->get())) {
    methods.insert(method);
  }
  std::set<std::string> names;
  for (jmethodID const method : methods) {
    if (const auto name = agent_.jvmti().get_method_name(method)) {
      names.insert(std::string(name->name.view()) + std::string(name->signature.view()));
    }
  }
  const std::scoped_lock lock(mutex_);
  of.to_renew = std::move(names);
}

// The VM is about to take the bytes of a class, for us or for another agent.
std::optional<std::vector<std::uint8_t>> ProbeTable::rewrite(const jvm::Jni& jni, jclass type,
                                                             std::span<const std::uint8_t> bytes) {
  if (redefining_) {
    return std::nullopt;
  }
  std::vector<std::shared_ptr<Class>> classes;
  {
    const std::scoped_lock lock(mutex_);
    classes = classes_;
  }
  const auto found = std::ranges::find_if(
      classes, [&](const auto& each) { return jni.same(each->type->get(), type); });
  if (found == classes.end()) {
    return std::nullopt;
  }
  const std::scoped_lock lock(mutex_);
  std::vector<CheckCall> calls;
  std::vector<std::shared_ptr<Probe>> probes;
  for (const auto& probe : (*found)->probes) {
    if (probe->is_on) {
      probes.push_back(probe);
      calls.push_back(probe->call);
    }
  }
  const auto renewal = next_renewal(**found, !calls.empty());
  if (calls.empty() && renewal.methods.empty()) {
    return std::nullopt;
  }
  auto changed = instrumented(bytes, calls, renewal, joins_);
  if (!changed) {
    rewrite_error_ = text(changed.error());
    (*found)->renewed.clear();
    return std::nullopt;
  }
  for (std::size_t number = 0; number < calls.size(); ++number) {
    probes[number]->call.code = std::move(calls[number].code);
  }
  if (!changed->left_out.empty()) {
    rewrite_error_ = "another agent has changed the method";
    agent_.sender().run_soon([this] { agent_.code_versions().forget(); }, false);
  }
  return std::move(changed->class_file);
}

// Without probes, a method that was renewed before is another one with the depth that the compiler
// gave it.
Renewal ProbeTable::next_renewal(Class& of, bool has_probes) {
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
