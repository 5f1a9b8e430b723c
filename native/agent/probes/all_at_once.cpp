// SPDX-License-Identifier: Apache-2.0
// The part of ProbeTable that changes classes of which all methods come out as others.
//
// HotSpot forgets then which older versions of the methods are obsolete, see older_versions.h. It
// is reminded by two more steps: the new code comes with deeper operand stacks in all methods; then
// in one of them only, which this step leaves as it was; then in none, which leaves the others. So
// each method was changed once by a step that has left another alone.
#include <algorithm>
#include <iterator>
#include <mutex>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "agent/agent.h"
#include "agent/jvm/redefinitions.h"
#include "agent/probes/probe_table.h"
#include "agent/probes/throw_checks.h"

namespace jvmdebug::agent::probes {

// Which methods get or lose checks of throws is not known before: all that throw may.
bool ProbeTable::would_change_all(const ClassChange& change, const code::CodeMethods& all) const {
  if (stops_in_check() || vm_mixes_versions() || change.before == 0 || all.has_others) {
    return false;
  }
  const bool checks = change.of->checks_throws != change.of->checked_throws;
  return std::ranges::all_of(all.all, [&](jmethodID method) {
    if (change.methods.contains(method)) {
      return true;
    }
    if (!checks) {
      return false;
    }
    const auto code = agent_.jvmti().get_actual_bytecodes(method);
    return code && throw_checks_in(code->span()) != ThrowChecks::kNoNeed;
  });
}

// The first step is that which makes the change.
void ProbeTable::begin_stepwise(const jvm::Jni& jni, ClassChange& change) const {
  change.before = jvm::redefinitions_of(jni, change.type);
  const code::CodeMethods all = code::CodeMethods::of(agent_.jvmti(), change.type);
  std::set<std::string> deepened;
  if (all.all.size() > 1 && would_change_all(change, all)) {
    change.methods = all.all;
    change.last = *all.all.begin();
    deepened = names_of(all.all);
  }
  const std::scoped_lock lock(mutex_);
  change.of->deepened = std::move(deepened);
}

void ProbeTable::end_stepwise(const jvm::Jni& jni, std::span<const ClassChange> changes,
                              bool stays_on, bool has_begun) {
  std::vector<ClassChange> rest;
  std::ranges::copy_if(changes, std::back_inserter(rest),
                       [](const ClassChange& each) { return each.last != nullptr; });
  for (const bool is_last : {false, true}) {
    std::vector<jclass> types;
    for (ClassChange& each : rest) {
      std::set<jmethodID> deep;
      if (is_last) {
        each.methods = {each.last};
      } else {
        each.methods.erase(each.last);
        deep.insert(each.last);
      }
      each.before = jvm::redefinitions_of(jni, each.type);
      types.push_back(each.type);
      auto names = names_of(deep);
      const std::scoped_lock lock(mutex_);
      each.of->deepened = std::move(names);
    }
    if (has_begun && !types.empty()) {
      // Where it fails the methods count as ones with older versions of other code.
      has_begun = rewrite(jni, types, rest, stays_on).has_value();
    }
  }
}

}  // namespace jvmdebug::agent::probes
