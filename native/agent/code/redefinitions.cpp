// SPDX-License-Identifier: Apache-2.0
#include "agent/code/redefinitions.h"

#include <algorithm>
#include <cstddef>
#include <set>
#include <string>
#include <utility>

#include "agent/code/code_changes.h"
#include "agent/code/code_versions.h"
#include "agent/code/late_environment.h"
#include "agent/jvm/redefinitions.h"
#include "agent/scope.h"

namespace jvmdebug::agent::code {

Redefinitions::Redefinitions(const jvm::Env& env, CodeChanges& changes, CodeVersions& versions,
                             CodeUsers& users, bool may_change)
    : env_(env),
      changes_(changes),
      versions_(versions),
      users_(users),
      may_change_(may_change),
      swap_(env),
      remembered_(env) {
  changes.set_swaps(*this);
}

// Notes what is known of the classes before the swap. A class that was never changed has no
// insertions, and the VM leaves its unchanged methods alone; only one with a single method is noted
// anyway, because redefine_stepwise() replaces that method in any case.
void Redefinitions::begin_swap(const jvm::Jni& jni, std::span<const jvmtiClassDefinition> classes) {
  swap_.end();
  std::optional<ThreadStacks> stacks;
  const bool may_make = changes_.late() != nullptr ||
                        (!changes_.vm_mixes_versions() && changes_.reports_breakpoints());
  for (const jvmtiClassDefinition& each : classes) {
    const bool is_left =
        jvm::redefinitions_of(jni, each.klass) == 0 && !CodeMethods::of(env_, each.klass).is_one();
    if (is_left || !may_make || !changes_.prepare()) {
      continue;
    }
    auto own = changes_.late()->read_class(each.klass);
    if (!own) {
      continue;
    }
    if (!stacks) {
      stacks = users_.stacks_or_known(jni);
    }
    std::vector<std::pair<jmethodID, jmethodID>> versions;
    for (jmethodID const version : versions_in_use(env_, *stacks, each.klass)) {
      versions.emplace_back(version, versions_.method(version)->shown);
    }
    versions_.begin();  // frames of what is replaced are shown as those of the class
    swap_.begin(jni, each, *std::move(own), changes_.inserted_in(jni, each.klass), versions);
  }
}

// Keeps the insertions of methods that stay. The insertions of other methods are for the code
// before.
std::optional<std::vector<std::uint8_t>> Redefinitions::swapped_in(
    const jvm::Jni& jni, jclass type, std::span<const std::uint8_t> bytes) {
  return swap_.keep(jni, type, bytes,
                    [this](classfile::ClassFile& file, classfile::MethodInsertions& insertions) {
                      changes_.complete(file, insertions);
                    });
}

// Decides how each class is redefined. Has the hook watch what other agents make of the new class
// files where the VM forgets these, or where insertions are to be kept.
void Redefinitions::begin(std::span<const jvmtiClassDefinition> classes) {
  const jvm::Jni jni = env_.jni();
  stepwise_.clear();
  renewing_.reset();
  begin_swap(jni, classes);
  if (changes_.vm_mixes_versions()) {
    renewing_.emplace(env_, changes_, versions_, users_);
  }
  for (const jvmtiClassDefinition& each : classes) {
    if (renewing_) {
      renewing_->add(jni, each);
      continue;
    }
    CodeMethods all = CodeMethods::of(env_, each.klass);
    const bool is_one_step = !changes_.reports_breakpoints() || all.has_others ||
                             (!all.is_one() && (jvm::redefinitions_of(jni, each.klass) == 0 ||
                                                leaves_some(jni, each, all)));
    stepwise_.push_back(is_one_step ? CodeMethods{} : std::move(all));
    if (!is_one_step) {
      swap_.keep_nothing(jni, each.klass);
    }
  }
  const bool forgets = remembered_.vm_forgets() && may_change_;
  if ((forgets && changes_.prepare()) || swap_.is_any_inserted()) {
    changes_.late()->watch_changes();
  }
  is_on_ = true;
}

jvm::Result<void> Redefinitions::redefine(std::span<const jvmtiClassDefinition> classes) {
  return renewing_ ? renewing_->redefine(classes) : redefine_stepwise(classes);
}

void Redefinitions::end(std::span<const jvmtiClassDefinition> classes, bool done) {
  is_on_ = false;
  const AtExit forget([this] {
    swap_.end();
    remembered_.end();
  });
  if (!done) {
    return;
  }
  const jvm::Jni jni = env_.jni();
  const auto stacks = users_.stacks_or_known(jni);
  for (std::size_t at = 0; at < classes.size(); ++at) {
    const jvmtiClassDefinition& each = classes[at];
    const auto wanted =
        std::span(each.class_bytes, static_cast<std::size_t>(each.class_byte_count));
    remembered_.keep(jni, each.klass, renewing_ ? renewing_->given(at) : wanted);
    ended(jni, stacks, each.klass);
  }
  users_.code_changed(jni, stacks);
}

void Redefinitions::ended(const jvm::Jni& jni, const ThreadStacks& stacks, jclass type) {
  auto versions = versions_in_use(env_, stacks, type);
  const auto swapped = swap_.find(jni, type);
  std::erase_if(versions, [&](jmethodID version) {
    const auto names = changes_.names_of({version});
    return !env_.is_method_obsolete(version).value_or(false) ||
           (swapped && !names.empty() && swapped->stays(version, *names.begin()));
  });
  versions_.replaced(versions);
  if (changes_.reports_breakpoints()) {
    changes_.kept().note(jni, stacks, type, {});
  }
  changes_.replaced(jni, type, swapped ? swapped->kept() : CodeClient::Codes());
}

std::optional<std::vector<std::uint8_t>> Redefinitions::base(const jvm::Jni& jni,
                                                             jclass type) const {
  return is_on_ ? std::nullopt : remembered_.of(jni, type);
}

// Whether the redefinition certainly leaves a method as it is. Methods with calls do not count,
// because they are left only if their calls are kept.
bool Redefinitions::leaves_some(const jvm::Jni& jni, const jvmtiClassDefinition& wanted,
                                const CodeMethods& all) {
  const auto swapped = swap_.find(jni, wanted.klass);
  return swapped && std::ranges::any_of(all.all, [&](jmethodID method) {
           if (versions_.method(method)->is_changed()) {
             return false;
           }
           const auto names = changes_.names_of({method});
           return !names.empty() && swapped->unchanged().contains(*names.begin());
         });
}

jvm::Result<void> Redefinitions::redefine_stepwise(std::span<const jvmtiClassDefinition> classes) {
  const jvm::Jni jni = env_.jni();
  constexpr int kSteps = 3;
  for (int step = 0; step < kSteps; ++step) {
    std::vector<jvmtiClassDefinition> definitions;
    std::vector<std::vector<std::uint8_t>> made_deeper;
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
        auto file =
            deepened(std::span(made.class_bytes, static_cast<std::size_t>(made.class_byte_count)),
                     {.methods = changes_.names_of(deep), .words = words});
        if (file) {
          made_deeper.push_back(*std::move(file));
          made.class_bytes = made_deeper.back().data();
          made.class_byte_count = static_cast<jint>(made_deeper.back().size());
        }
      }
      definitions.push_back(made);
      changes.emplace_back(std::move(changed), times);
    }
    if (definitions.empty()) {
      break;
    }
    const auto done = env_.redefine_classes(definitions);
    if (!done && step == 0) {
      return done;
    }
    for (std::size_t at = 0; done && at < definitions.size(); ++at) {
      changes_.older_versions().note(jni, definitions[at].klass, changes[at].first,
                                     changes[at].second);
    }
  }
  return {};
}

// Returns by how much to make operand stacks deeper: not by the amount that they are deeper
// already, because HotSpot could then count a method as the same version.
std::uint16_t Redefinitions::swap_depth(const jvm::Jni& jni, jclass type) const {
  const auto swapped = swap_.find(jni, type);
  return other_depth(swapped && swapped->is_any_deeper_by(kSwapDepth) ? kSwapDepth : 0);
}

}  // namespace jvmdebug::agent::code
