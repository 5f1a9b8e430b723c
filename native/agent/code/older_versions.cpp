// SPDX-License-Identifier: Apache-2.0
#include "agent/code/older_versions.h"

#include <algorithm>
#include <mutex>
#include <utility>

#include "agent/jvm/redefinitions.h"

namespace jvmdebug::agent::code {

CodeMethods CodeMethods::of(const jvm::Env& env, jclass type) {
  constexpr jint kWithoutCode = 0x0100 | 0x0400;  // ACC_NATIVE, ACC_ABSTRACT
  CodeMethods found;
  const auto methods = env.get_class_methods(type);
  if (!methods) {
    return {.all = {}, .has_others = true};
  }
  for (jmethodID const method : *methods) {
    if ((env.get_method_modifiers(method).value_or(kWithoutCode) & kWithoutCode) == 0) {
      found.all.insert(method);
    } else {
      found.has_others = true;
    }
  }
  return found;
}

// Whether HotSpot respects the marks of older versions (JDK-8266497, ..16, where it does not).
bool OlderVersions::marks_older() const {
  constexpr jint kFirst = 17;
  return env_.feature_version() >= kFirst;
}

void OlderVersions::note(const jvm::Jni& jni, jclass type, const std::set<jmethodID>& changed,
                         std::optional<jint> before, bool unused) {
  const auto last = find(jni, type);
  const bool was_known = before == 0 || (last && before && last->times == before);
  const CodeMethods methods = CodeMethods::of(env_, type);
  const bool marks =
      unused ||
      (marks_older() && (methods.has_others || !std::ranges::includes(changed, methods.all)));
  auto now = std::make_shared<Known>();
  now->type = jni.weak(type);
  now->times = jvm::redefinitions_of(jni, type);
  for (jmethodID const method : methods.all) {
    const bool is_changed = changed.contains(method);
    const bool was_newest = was_known && (before == 0 || last->newest.contains(method));
    const bool was_mistaken = before != 0 && last && last->mistaken.contains(method);
    if (is_changed && (marks || was_newest)) {
      now->newest.insert(method);
    } else if (was_mistaken || (is_changed && (was_known || marks_older()))) {
      now->mistaken.insert(method);
    }
  }
  const jint hash = env_.get_object_hash_code(type).value_or(0);
  Some kept;
  {
    const std::scoped_lock lock(mutex_);
    kept = known_[hash];
  }
  std::erase_if(kept, [&](const auto& each) {
    const auto known = each->type.lock(jni);
    return !known || jni.same(known, type);
  });
  kept.push_back(std::move(now));
  const std::scoped_lock lock(mutex_);  // a copy is safe: only agent threads, one at a time, write
  known_[hash].swap(kept);
}

std::shared_ptr<const OlderVersions::Known> OlderVersions::find(const jvm::Jni& jni,
                                                                jclass type) const {
  const jint hash = env_.get_object_hash_code(type).value_or(0);
  Some some;
  {
    const std::scoped_lock lock(mutex_);
    const auto found = known_.find(hash);
    if (found != known_.end()) {
      some = found->second;
    }
  }
  const auto found = std::ranges::find_if(
      some, [&](const auto& each) { return jni.same(each->type.lock(jni), type); });
  return found == some.end() ? nullptr : *found;
}

OlderVersions::Reach OlderVersions::reach(const jvm::Jni& jni, jclass type,
                                          jmethodID method) const {
  const auto times = jvm::redefinitions_of(jni, type);
  if (times == 0) {
    return Reach::kNewest;
  }
  const auto known = find(jni, type);
  if (known && times && known->times == times && known->newest.contains(method)) {
    return Reach::kNewest;
  }
  return known && known->mistaken.contains(method) ? Reach::kOther : Reach::kSame;
}

}  // namespace jvmdebug::agent::code
