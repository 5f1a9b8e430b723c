// SPDX-License-Identifier: Apache-2.0
// The part of ProbeTable that redefines classes without replacing all their methods at once. The
// steps are those of all_at_once.cpp. A class with one method gets another version of it by each
// redefinition, be it the same code: then there is no older version that HotSpot takes for the
// same.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "agent/agent.h"
#include "agent/code/code_versions.h"
#include "agent/code/hot_swap.h"
#include "agent/jvm/redefinitions.h"
#include "agent/probes/probe_table.h"

namespace jvmdebug::agent::probes {

// Whether the redefinition certainly leaves a method as it is. Not one with probes: it is as it was
// only if these stay.
bool ProbeTable::leaves_some(const jvm::Jni& jni, const jvmtiClassDefinition& wanted,
                             const code::CodeMethods& all) {
  const auto swapped = swap_.find(jni, wanted.klass);
  return swapped && std::ranges::any_of(all.all, [&](jmethodID method) {
           if (agent_.code_versions().method(method)->is_changed()) {
             return false;
           }
           const auto names = names_of({method});
           return !names.empty() && swapped->unchanged().contains(*names.begin());
         });
}

jvm::Result<void> ProbeTable::redefine_stepwise(std::span<const jvmtiClassDefinition> classes) {
  if (vm_mixes_versions()) {
    return redefine_renewing(classes);
  }
  const jvm::Jni jni = agent_.jni();
  constexpr int kSteps = 3;
  for (int step = 0; step < kSteps; ++step) {
    std::vector<jvmtiClassDefinition> definitions;
    std::vector<std::vector<std::uint8_t>> deepened;
    std::vector<std::pair<std::set<jmethodID>, std::optional<jint>>> changes;
    for (std::size_t at = 0; at < classes.size(); ++at) {
      const auto& all = stepwise_[at].all;
      if (step > 0 && all.size() < 2) {
        continue;
      }
      std::set<jmethodID> deep = all;
      std::set<jmethodID> changed = all;
      if (step > 0) {
        const jmethodID last = *all.begin();
        deep = step == 1 ? std::set{last} : std::set<jmethodID>();
        changed.erase(last);
        changed = step == 1 ? changed : std::set{last};
      }
      jvmtiClassDefinition made = classes[at];
      const auto times = jvm::redefinitions_of(jni, made.klass);
      const std::uint16_t words = swap_depth(jni, made.klass);
      if (!deep.empty()) {
        auto file = instrumented(
            std::span(made.class_bytes, static_cast<std::size_t>(made.class_byte_count)), {},
            {.methods = names_of(deep), .words = words});
        if (file) {
          deepened.push_back(std::move(file->class_file));
          made.class_bytes = deepened.back().data();
          made.class_byte_count = static_cast<jint>(deepened.back().size());
        }
      }
      definitions.push_back(made);
      changes.emplace_back(std::move(changed), times);
    }
    if (definitions.empty()) {
      break;
    }
    const auto done = agent_.jvmti().redefine_classes(definitions);
    if (!done && step == 0) {
      return done;
    }
    for (std::size_t at = 0; done && at < definitions.size(); ++at) {
      older_versions_.note(jni, definitions[at].klass, changes[at].first, changes[at].second);
    }
  }
  return {};
}

// A method that gets the depth which it has could come out as the same version.
std::uint16_t ProbeTable::swap_depth(const jvm::Jni& jni, jclass type) const {
  const auto swapped = swap_.find(jni, type);
  return code::other_depth(swapped && swapped->is_any_deeper_by(code::kSwapDepth) ? code::kSwapDepth
                                                                                  : 0);
}

}  // namespace jvmdebug::agent::probes
