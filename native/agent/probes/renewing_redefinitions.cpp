// SPDX-License-Identifier: Apache-2.0
// The part of ProbeTable that redefines classes up to JDK 16.
//
// There HotSpot never forgets which methods a change has left alone, and sets breakpoints in that
// version of them whatever they become, see older_versions.h. So a redefinition leaves none alone:
// methods whose code stays the same get a deeper operand stack. Except those that a thread is in,
// and stays in: their frames would run code that is obsolete, in which no breakpoint is hit. And
// those that a change has left alone before: as long as they have the same code, no harm is done.
#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "agent/agent.h"
#include "agent/code/code_versions.h"
#include "agent/code/hot_swap.h"
#include "agent/code/kept_frames.h"
#include "agent/code/late_environment.h"
#include "agent/jvm/redefinitions.h"
#include "agent/probes/probe_table.h"
#include "classfile/class_file.h"

namespace jvmdebug::agent::probes {

// The methods that certainly have the same code in the redefinition, and by how much deeper their
// operand stacks are now.
std::map<jmethodID, std::uint16_t> ProbeTable::alike_in(const jvmtiClassDefinition& wanted,
                                                        const code::CodeMethods& all) {
  if (!prepare_late_environment()) {
    return {};
  }
  using classfile::ClassFile;
  const auto bytes = late_->read_class(wanted.klass);
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
    if (!agent_.code_versions().method(method)->is_changed()) {
      for (const std::string& name : names_of({method})) {
        unchanged.emplace(name, method);
      }
    }
  }
  std::map<jmethodID, std::uint16_t> alike;
  for (const auto& [name, words] : code::deeper_in(*before, *after)) {
    if (const auto known = unchanged.find(name); known != unchanged.end()) {
      alike.emplace(known->second, words);
    }
  }
  return alike;
}

// Those of the methods that have a frame which stays for a while.
std::set<jmethodID> ProbeTable::with_frames(const jvm::Jni& jni, jclass type,
                                            const std::set<jmethodID>& methods) {
  constexpr std::chrono::milliseconds kDeadline{1'000};
  constexpr std::chrono::milliseconds kPause{3};
  const auto until = std::chrono::steady_clock::now() + kDeadline;
  code::KeptFrames first(agent_.jvmti());
  for (bool is_first = true;; is_first = false) {
    const auto stacks = old_frames_.stacks(jni);
    if (!stacks) {
      return methods;
    }
    if (is_first) {
      first.note(jni, *stacks, type, {});
    }
    std::set<jmethodID> found;
    std::ranges::copy_if(methods, std::inserter(found, found.end()),
                         [&](jmethodID method) { return first.has(jni, *stacks, method); });
    if (std::chrono::steady_clock::now() >= until ||
        !code::is_any_running(agent_.jvmti(), *stacks, found)) {
      return found;
    }
    std::this_thread::sleep_for(kPause);
  }
}

ProbeTable::Renewing ProbeTable::renewing(const jvm::Jni& jni, const jvmtiClassDefinition& wanted) {
  const auto alike = alike_in(wanted, code::CodeMethods::of(agent_.jvmti(), wanted.klass));
  Renewing made{.times = jvm::redefinitions_of(jni, wanted.klass)};
  std::set<jmethodID> newest;
  for (jmethodID const method : code::CodeMethods::of(agent_.jvmti(), wanted.klass).all) {
    if (older_versions_.reach(jni, wanted.klass, method) == code::OlderVersions::Reach::kNewest) {
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
    made.depths[code::other_depth(known == alike.end() ? 0 : known->second)].insert(method);
  }
  made.changed.insert(renewed.begin(), renewed.end());
  for (const auto& [method, words] : alike) {
    if (words > 0 && !made.changed.contains(method)) {
      made.depths[words].insert(method);
    }
  }
  return made;
}

jvm::Result<void> ProbeTable::redefine_renewing(std::span<const jvmtiClassDefinition> classes) {
  std::vector<jvmtiClassDefinition> definitions;
  std::vector<std::vector<std::uint8_t>> deepened;
  deepened.reserve(classes.size());
  for (std::size_t at = 0; at < classes.size(); ++at) {
    jvmtiClassDefinition made = classes[at];
    const Renewing& how = renewing_[at];
    std::vector<std::uint8_t> bytes(made.class_bytes, made.class_bytes + made.class_byte_count);
    const auto deepen = [&](const std::set<jmethodID>& methods, std::uint16_t words) {
      auto file = instrumented(bytes, {}, {.methods = names_of(methods), .words = words});
      if (file) {
        bytes = std::move(file->class_file);
      }
      return file.has_value();
    };
    if (std::ranges::all_of(how.depths,
                            [&](const auto& each) { return deepen(each.second, each.first); })) {
      deepened.push_back(std::move(bytes));
      made.class_bytes = deepened.back().data();
      made.class_byte_count = static_cast<jint>(deepened.back().size());
    }
    definitions.push_back(made);
  }
  JVMDEBUG_CHECK(agent_.jvmti().redefine_classes(definitions));
  const jvm::Jni jni = agent_.jni();
  for (std::size_t at = 0; at < definitions.size(); ++at) {
    const bool is_given = definitions[at].class_bytes != classes[at].class_bytes;
    older_versions_.note(jni, definitions[at].klass,
                         is_given ? renewing_[at].changed : std::set<jmethodID>(),
                         renewing_[at].times);
    renewing_[at].given.assign(definitions[at].class_bytes,
                               definitions[at].class_bytes + definitions[at].class_byte_count);
  }
  return {};
}

}  // namespace jvmdebug::agent::probes
