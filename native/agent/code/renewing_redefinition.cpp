// SPDX-License-Identifier: Apache-2.0
#include "agent/code/renewing_redefinition.h"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <string>
#include <thread>
#include <utility>

#include "agent/code/code_changes.h"
#include "agent/code/code_versions.h"
#include "agent/code/hot_swap.h"
#include "agent/code/instrumented.h"
#include "agent/code/kept_frames.h"
#include "agent/code/late_environment.h"
#include "agent/jvm/redefinitions.h"
#include "classfile/class_file.h"

namespace jvmdebug::agent::code {

// Returns the methods that certainly have the same code in the redefinition, and by how many words
// their operand stacks are deeper now.
std::map<jmethodID, std::uint16_t> RenewingRedefinition::alike_in(
    const jvmtiClassDefinition& wanted, const CodeMethods& all) {
  if (!changes_.prepare()) {
    return {};
  }
  using classfile::ClassFile;
  const auto bytes = changes_.late()->read_class(wanted.klass);
  const auto before =
      bytes ? ClassFile::read(*bytes)
            : classfile::Rewritten<ClassFile>(std::unexpected(classfile::RewriteError::kMalformed));
  const auto after = ClassFile::read(
      std::span(wanted.class_bytes, static_cast<std::size_t>(wanted.class_byte_count)));
  if (!before || !after) {
    return {};
  }
  std::map<std::string, jmethodID> unchanged;
  for (jmethodID const method : all.all) {
    if (!versions_.method(method)->is_changed()) {
      for (const std::string& name : changes_.names_of({method})) {
        unchanged.emplace(name, method);
      }
    }
  }
  std::map<jmethodID, std::uint16_t> alike;
  for (const auto& [name, words] : deeper_in(*before, *after)) {
    if (const auto known = unchanged.find(name); known != unchanged.end()) {
      alike.emplace(known->second, words);
    }
  }
  return alike;
}

// Returns the methods that have a frame which stays for a while.
std::set<jmethodID> RenewingRedefinition::with_frames(const jvm::Jni& jni, jclass type,
                                                      const std::set<jmethodID>& methods) {
  constexpr std::chrono::milliseconds kDeadline{1'000};
  constexpr std::chrono::milliseconds kPause{3};
  const auto until = std::chrono::steady_clock::now() + kDeadline;
  KeptFrames first(env_);
  for (bool is_first = true;; is_first = false) {
    const auto stacks = users_.stacks(jni);
    if (!stacks) {
      return methods;
    }
    if (is_first) {
      first.note(jni, *stacks, type, {});
    }
    std::set<jmethodID> found;
    std::ranges::copy_if(methods, std::inserter(found, found.end()),
                         [&](jmethodID method) { return first.has(jni, *stacks, method); });
    if (std::chrono::steady_clock::now() >= until || !is_any_running(env_, *stacks, found)) {
      return found;
    }
    std::this_thread::sleep_for(kPause);
  }
}

void RenewingRedefinition::add(const jvm::Jni& jni, const jvmtiClassDefinition& wanted) {
  const auto alike = alike_in(wanted, CodeMethods::of(env_, wanted.klass));
  Class made{.times = jvm::redefinitions_of(jni, wanted.klass)};
  std::set<jmethodID> newest;
  for (jmethodID const method : CodeMethods::of(env_, wanted.klass).all) {
    if (changes_.older_versions().reach(jni, wanted.klass, method) ==
        OlderVersions::Reach::kNewest) {
      newest.insert(method);
    } else if (!alike.contains(method)) {
      made.changed.insert(method);
    }
  }
  const auto in_use = with_frames(jni, wanted.klass, newest);
  std::set<jmethodID> renewed;
  std::ranges::set_difference(newest, in_use, std::inserter(renewed, renewed.end()));
  for (jmethodID const method : renewed) {
    const auto known = alike.find(method);
    made.depths[other_depth(known == alike.end() ? 0 : known->second)].insert(method);
  }
  made.changed.insert(renewed.begin(), renewed.end());
  for (const auto& [method, words] : alike) {
    if (words > 0 && !made.changed.contains(method)) {
      made.depths[words].insert(method);
    }
  }
  classes_.push_back(std::move(made));
}

jvm::Result<void> RenewingRedefinition::redefine(std::span<const jvmtiClassDefinition> classes) {
  std::vector<jvmtiClassDefinition> definitions;
  std::vector<std::vector<std::uint8_t>> made_deeper;
  made_deeper.reserve(classes.size());
  for (std::size_t at = 0; at < classes.size(); ++at) {
    jvmtiClassDefinition made = classes[at];
    const Class& how = classes_[at];
    std::vector<std::uint8_t> bytes(made.class_bytes, made.class_bytes + made.class_byte_count);
    const auto deepen = [&](const std::set<jmethodID>& methods, std::uint16_t words) {
      auto file = deepened(bytes, {.methods = changes_.names_of(methods), .words = words});
      if (!file) {
        return false;
      }
      bytes = *std::move(file);
      return true;
    };
    if (std::ranges::all_of(how.depths,
                            [&](const auto& each) { return deepen(each.second, each.first); })) {
      made_deeper.push_back(std::move(bytes));
      made.class_bytes = made_deeper.back().data();
      made.class_byte_count = static_cast<jint>(made_deeper.back().size());
    }
    definitions.push_back(made);
  }
  JVMDEBUG_CHECK(env_.redefine_classes(definitions));
  const jvm::Jni jni = env_.jni();
  for (std::size_t at = 0; at < definitions.size(); ++at) {
    const bool is_given = definitions[at].class_bytes != classes[at].class_bytes;
    changes_.older_versions().note(jni, definitions[at].klass,
                                   is_given ? classes_[at].changed : std::set<jmethodID>(),
                                   classes_[at].times);
    classes_[at].given.assign(definitions[at].class_bytes,
                              definitions[at].class_bytes + definitions[at].class_byte_count);
  }
  return {};
}

}  // namespace jvmdebug::agent::code
