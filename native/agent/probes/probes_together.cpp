// SPDX-License-Identifier: Apache-2.0
#include "agent/probes/probes_together.h"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <iterator>
#include <optional>
#include <thread>
#include <utility>

#include "agent/code/late_environment.h"
#include "agent/events/breakpoints.h"
#include "agent/probes/change_limits.h"
#include "agent/probes/old_frames.h"
#include "agent/probes/probe_calls.h"
#include "classfile/rewrite_error.h"

namespace jvmdebug::agent::probes {

using events::Request;

namespace {

std::vector<events::CodeLocation> locations_of(std::span<const Probes> groups) {
  std::vector<events::CodeLocation> locations;
  for (const Probes& group : groups) {
    locations.push_back(group.front()->request->location);
  }
  return locations;
}

}  // namespace

void note(std::span<const Probes> groups, ProbeEvent event) {
  for (const Probes& group : groups) {
    for (const auto& probe : group) {
      probe->life.note(event);
    }
  }
}

void leave_to_probes(events::Breakpoints& breakpoints, std::span<const Probes> groups) {
  for (const Probes& group : groups) {
    group.front()->request->location_type.let_go();
  }
  breakpoints.leave_to_probes(locations_of(groups));
}

std::vector<Refusal> ProbesTogether::complete(std::span<const std::int32_t> request_ids) {
  const std::set<std::int32_t> wanted(request_ids.begin(), request_ids.end());
  const auto classes = calls_.all();
  std::vector<Entering> all;
  for (const auto& each : classes) {
    if (auto groups = deferred(*each, wanted); !groups.empty()) {
      all.push_back({.of = each.get(), .groups = std::move(groups), .full = {}, .refused = {}});
    }
  }
  for (std::span<Entering> rest(all); !rest.empty();) {
    const auto some = rest.first(std::min(rest.size(), code::kClassesAtOnce));
    complete(some);
    rest = rest.subspan(some.size());
  }
  std::vector<Refusal> refused;
  for (Entering& each : all) {
    std::ranges::move(each.refused, std::back_inserter(refused));
  }
  return refused;
}

// Returns the deferred probes of a class, grouped by request, in the order in which they came.
std::vector<Probes> ProbesTogether::deferred(const ProbedClass& of,
                                             const std::set<std::int32_t>& wanted) {
  std::vector<Probes> groups;
  std::map<std::int32_t, std::size_t> places;
  for (const auto& probe : of.probes) {
    if (!probe->life.is_deferred() || !wanted.contains(probe->request->id)) {
      continue;
    }
    const auto [place, is_new] = places.emplace(probe->request->id, groups.size());
    if (is_new) {
      groups.emplace_back();
    }
    groups[place->second].push_back(probe);
  }
  return groups;
}

void ProbesTogether::complete(std::span<Entering> classes) {
  const jvm::Jni jni = env_.jni();
  std::vector<Entering*> entering;
  for (Entering& each : classes) {
    const auto type = each.of->type(jni);
    if (!type) {
      continue;  // the class was unloaded, and the debugger is told that elsewhere
    }
    entering.push_back(&each);
  }
  if (changes_.reports_breakpoints()) {
    refuse_used(entering);
  }
  if (entering.size() < 2 || !enter_together(entering)) {
    for (Entering* const each : entering) {
      enter(*each->of, each->groups, *each);
    }
  }
  for (Entering* const each : entering) {
    if (const auto type = each->of->type(jni)) {
      breakpoints_.set_again(type);
    }
  }
}

// Changes all the classes at once. Returns whether that is the end, so that no class has to be
// tried alone.
bool ProbesTogether::enter_together(std::span<Entering* const> classes) {
  std::vector<code::ChangedClass*> changing;
  for (Entering* const each : classes) {
    if (!each->groups.empty()) {
      note(each->groups, ProbeEvent::kComplete);
      changing.push_back(each->of->code.get());
    }
  }
  code::StackLook look;
  const auto done = changes_.change(changing, look);
  const bool is_right = done && std::ranges::none_of(changing, [&](const auto* of) {
                          return changes_.has_failed(*of);
                        });
  for (Entering* const each : classes) {
    if (is_right) {
      leave_to_probes(breakpoints_, each->groups);
      continue;
    }
    note(each->groups, ProbeEvent::kDefer);
    if (!done && done.error() == code::kTransformerWaits) {
      for (const Probes& group : each->groups) {
        refuse(*each->of, group, done.error(), *each);
      }
    }
  }
  return is_right || (!done && done.error() == code::kTransformerWaits);
}

// Refuses probes in methods that frames prevent from being changed, like check_unused(), with one
// look at all stacks. Waits a little for threads that run, because most of them have just come to
// the instruction.
void ProbesTogether::refuse_used(std::span<Entering* const> classes) {
  constexpr std::chrono::milliseconds kDeadline{500};
  constexpr std::chrono::milliseconds kPause{2};
  const jvm::Jni jni = env_.jni();
  for (Entering* const each : classes) {
    const auto unharmed =
        limits_.check_unharmed(jni, each->of->type(jni), locations_of(each->groups));
    for (const Probes& group : unharmed ? std::vector<Probes>{} : std::move(each->groups)) {
      refuse(*each->of, group, unharmed.error(), *each);
    }
    if (!unharmed) {
      each->groups.clear();
    }
  }
  const auto until = std::chrono::steady_clock::now() + kDeadline;
  auto stacks = old_frames_.stacks(jni);
  auto used = stacks ? used_methods(jni, *stacks, classes) : std::set<jmethodID>{};
  while (stacks && code::is_any_running(env_, *stacks, used) &&
         std::chrono::steady_clock::now() < until) {
    std::this_thread::sleep_for(kPause);
    stacks = old_frames_.stacks(jni);
    used = stacks ? used_methods(jni, *stacks, classes) : std::set<jmethodID>{};
  }
  for (Entering* const each : classes) {
    std::erase_if(each->groups, [&](const Probes& group) {
      if (stacks && !used.contains(group.front()->request->location.method)) {
        return false;
      }
      refuse(*each->of, group, ChangeLimits::why_in_use(stacks.has_value()), *each);
      return true;
    });
    refuse_crashing(*each, each->of->type(jni));
  }
}

// Refuses those in methods in which the VM could crash afterwards, at a breakpoint that stays.
void ProbesTogether::refuse_crashing(Entering& entering, jclass type) {
  const auto locations = locations_of(entering.groups);
  std::map<jmethodID, Outcome> known;
  std::erase_if(entering.groups, [&](const Probes& group) {
    const jmethodID method = group.front()->request->location.method;
    if (!known.contains(method)) {
      known.emplace(method, limits_.check_records(type, method, locations));
    }
    if (const auto& safe = known.at(method); !safe) {
      refuse(*entering.of, group, safe.error(), entering);
      return true;
    }
    return false;
  });
}

// Returns the methods of the probes that frames prevent from being changed.
std::set<jmethodID> ProbesTogether::used_methods(const jvm::Jni& jni,
                                                 const code::ThreadStacks& stacks,
                                                 std::span<Entering* const> classes) {
  std::set<jmethodID> seen;
  std::set<jmethodID> used;
  for (const Entering* const each : classes) {
    const auto type = each->of->type(jni);
    for (const Probes& group : each->groups) {
      const jmethodID method = group.front()->request->location.method;
      if (seen.insert(method).second && limits_.is_in_use(jni, stacks, type, method)) {
        used.insert(method);
      }
    }
  }
  return used;
}

void ProbesTogether::enter(ProbedClass& of, std::span<const Probes> groups, Entering& entering) {
  std::vector<Probes> left;
  for (const Probes& group : groups) {
    if (entering.full.contains(group.front()->request->location.method)) {
      refuse(of, group, entering.full.at(group.front()->request->location.method), entering);
    } else {
      left.push_back(group);
    }
  }
  if (left.empty()) {
    return;
  }
  note(left, ProbeEvent::kComplete);
  const auto done = changes_.change(*of.code);
  if (done) {
    leave_to_probes(breakpoints_, left);
    return;
  }
  note(left, ProbeEvent::kDefer);
  if (done.error() == code::kTransformerWaits) {  // true for each of the probes
    for (const Probes& group : left) {
      refuse(of, group, done.error(), entering);
    }
    return;
  }
  if (left.size() > 1) {
    const std::span<const Probes> all(left);
    enter(of, all.first(left.size() / 2), entering);
    enter(of, all.subspan(left.size() / 2), entering);
    return;
  }
  // The method has no room for the other probes either.
  if (done.error() == classfile::text(classfile::RewriteError::kCodeTooLong) ||
      done.error() == classfile::text(classfile::RewriteError::kBranchTooFar)) {
    entering.full.emplace(left.front().front()->request->location.method, done.error());
  }
  refuse(of, left.front(), done.error(), entering);
}

// Refuses the probes of a request. The VM goes on to report it.
void ProbesTogether::refuse(ProbedClass& of, const Probes& probes, std::string reason,
                            Entering& entering) {
  const Request& request = probes.front()->request;
  request->probe = 0;
  entering.refused.push_back({.request_id = request->id, .reason = std::move(reason)});
  calls_.take_back(of, probes, {});
}

}  // namespace jvmdebug::agent::probes
