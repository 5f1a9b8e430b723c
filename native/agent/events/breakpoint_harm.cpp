// SPDX-License-Identifier: Apache-2.0
// The part of Breakpoints that decides where a breakpoint would make the VM run wrong code.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "agent/events/breakpoints.h"
#include "agent/events/checks.h"
#include "agent/events/method_codes.h"
#include "agent/jvm/redefinitions.h"

namespace jvmdebug::agent::events {

Breakpoints::Redefining::Redefining(Breakpoints& breakpoints) : breakpoints_(breakpoints) {
  const std::scoped_lock lock(breakpoints_.mutex_);
  ++breakpoints_.redefining_;
}

Breakpoints::Redefining::~Redefining() {
  const std::scoped_lock lock(breakpoints_.mutex_);
  --breakpoints_.redefining_;
}

// Reads the records at one moment, in which no breakpoint is cleared. Nothing while a class is
// being changed.
std::optional<LeftRecords::Records> Breakpoints::records_in(jclass type) {
  const auto methods = uses_.env.get_class_methods(type);
  const std::scoped_lock lock(mutex_);
  return redefining_ > 0 || !methods ? std::nullopt : left_records_.of(methods->span());
}

LeftRecords::Found Breakpoints::left_in(jmethodID method) {
  const jvm::Jni jni = uses_.env.jni();
  const auto declaring = uses_.env.get_method_declaring_class(method);
  const auto type = jni.adopt(declaring.value_or(nullptr));
  return type ? left_records_.in(jni, type, method, [this](jclass of) { return records_in(of); })
              : LeftRecords::Found::kNone;
}

void Breakpoints::set_unless_harmful(const CodeLocation& location) {
  const bool is_harmful = would_harm(location) || would_crash(location);
  if (!is_harmful) {
    (void)uses_.env.set_breakpoint(location.method, location.index);
  }
  const std::scoped_lock lock(mutex_);
  if (is_harmful && counts_.contains(location)) {
    unset_.insert(location);
  } else {
    unset_.erase(location);
  }
}

bool Breakpoints::is_unset(const CodeLocation& location) {
  const std::scoped_lock lock(mutex_);
  return unset_.contains(location);
}

bool Breakpoints::would_crash(const CodeLocation& location) {
  return uses_.checks.knows_probes() && left_in(location.method) == LeftRecords::Found::kSome;
}

bool Breakpoints::would_crash_after_change(jclass type, jmethodID method,
                                           std::span<const CodeLocation> entering) {
  std::set<jlocation> set;
  for (const jlocation index : indices_in(method)) {
    const CodeLocation location{.method = method, .index = index};
    if (!is_unset(location) && !is_left_to_probes(location)) {
      set.insert(index);
    }
  }
  const auto stays = [&](jlocation index) {
    return std::ranges::find(entering, CodeLocation{.method = method, .index = index}) ==
           entering.end();
  };
  if (std::ranges::none_of(set, stays)) {
    return false;
  }
  const auto records = records_in(type);
  if (!records || !left_records_.is_any_beside(method, set, *records)) {
    return false;
  }
  // A second record of a breakpoint may be that of an older version that lives, and goes with it.
  MethodCodes codes(uses_.env);
  const auto at = [&](jlocation index) { return CodeLocation{.method = method, .index = index}; };
  if (std::ranges::any_of(
          set, [&](jlocation each) { return codes.only_exceptions_lead_to(at(each)); })) {
    return true;  // they are not cleared while threads may be there
  }
  {
    const std::scoped_lock lock(mutex_);
    std::ranges::for_each(set, [&](jlocation each) { clear(at(each)); });
  }
  const auto left = records_in(type);
  for (const jlocation index : indices_in(method)) {
    if (set.contains(index)) {
      (void)uses_.env.set_breakpoint(method, index);
    }
  }
  return !left || left->contains(method);
}

bool Breakpoints::would_harm(const CodeLocation& location) {
  using Reach = code::OlderVersions::Reach;
  const jvm::Jni jni = uses_.env.jni();
  const auto declaring = uses_.env.get_method_declaring_class(location.method);
  const auto type = jni.adopt(declaring.value_or(nullptr));
  if (!type) {
    return false;
  }
  const auto reach = uses_.checks.older_versions().reach(jni, type, location.method);
  return reach == Reach::kOther ||
         (reach == Reach::kSame && MethodCodes(uses_.env).uses_field(location));
}

bool Breakpoints::may_harm(const CodeLocation& location) {
  const jvm::Jni jni = uses_.env.jni();
  const auto declaring = uses_.env.get_method_declaring_class(location.method);
  const auto type = jni.adopt(declaring.value_or(nullptr));
  return type && jvm::redefinitions_of(jni, type) != 0 &&
         (would_harm(location) || left_in(location.method) != LeftRecords::Found::kNone);
}

std::set<jmethodID> Breakpoints::field_users_in(jclass type) {
  std::set<jmethodID> found;
  MethodCodes codes(uses_.env);
  for (const auto& [location, count] : all_in(type)) {
    if (!is_left_to_probes(location) && codes.uses_field(location)) {
      found.insert(location.method);
    }
  }
  return found;
}

bool Breakpoints::would_harm_after_change(jclass type, std::span<const CodeLocation> entering) {
  std::unordered_map<CodeLocation, int, CodeLocationHash> left;
  {
    const std::scoped_lock lock(mutex_);
    left = probed_;
  }
  for (const CodeLocation& each : entering) {
    ++left[each];
  }
  MethodCodes codes(uses_.env);
  return std::ranges::any_of(all_in(type), [&](const auto& one) {
    const auto found = left.find(one.first);
    const bool is_left = found != left.end() && found->second >= one.second;
    return !is_left && codes.uses_field(one.first);
  });
}

}  // namespace jvmdebug::agent::events
