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
namespace {

// JDK-8266497 (..16): a breakpoint is also set in a version of the method that has other code.
bool keeps_versions_apart(const jvm::Env& env) {
  constexpr jint kFirst = 17;
  return env.feature_version() >= kFirst;
}

}  // namespace

Breakpoints::Redefining::Redefining(Breakpoints& breakpoints) : breakpoints_(breakpoints) {
  const std::scoped_lock lock(breakpoints_.mutex_);
  ++breakpoints_.redefining_;
}

Breakpoints::Redefining::~Redefining() {
  const std::scoped_lock lock(breakpoints_.mutex_);
  --breakpoints_.redefining_;
}

// Takes out the records of cleared breakpoints in code that is gone; with them a new breakpoint in
// the current code would restore a wrong opcode. False if records of the method may be left. If
// none is left, there will be none until the class changes again.
bool Breakpoints::take_out_left_records(const jvm::Jni& jni, jclass type, jmethodID method) {
  const auto changes = jvm::redefinitions_of(jni, type);
  if (changes == 0 || (changes && is_clean(jni, type, *changes))) {
    return true;
  }
  auto left = records_in(type);
  if (!left) {
    return false;
  }
  for (auto& [of, records] : left->records) {
    const auto code = uses_.env.get_actual_bytecodes(of);
    std::erase_if(records,
                  [&](const auto& each) { return !code || jvm::is_of_code(each, code->span()); });
  }
  if (jvm::redefinitions_of(jni, type) != changes) {
    return false;  // the records may belong to other code
  }
  std::erase_if(left->records, [](const auto& one) { return one.second.empty(); });
  std::erase_if(left->records, [&](const auto& one) {
    const auto& [of, records] = one;
    const auto in_use = indices_in_use(jni, type, of, left->wanted);
    if (!changes || !in_use) {
      return false;
    }
    std::vector<jvm::BreakpointRecord> unused;
    std::ranges::copy_if(records, std::back_inserter(unused),
                         [&](const auto& each) { return !in_use->contains(each.index); });
    return take_out(of, unused) && unused.size() == records.size();
  });
  if (left->records.empty() && changes && keeps_versions_apart(uses_.env)) {
    note_clean(jni, type, *changes);
  }
  return !left->records.contains(method);
}

// Takes out only records that the VM still has, so nothing is written to memory that it may have
// freed.
bool Breakpoints::take_out(jmethodID method, std::span<const jvm::BreakpointRecord> left) {
  const std::scoped_lock lock(mutex_);  // no breakpoint is cleared meanwhile
  const auto now = redefining_ > 0 ? std::nullopt : records_.of(std::array{method});
  if (!now) {
    return false;
  }
  for (const jvm::BreakpointRecord& record : left) {
    const auto& kept = now->front();
    if (std::ranges::find(kept, record.name_at, &jvm::BreakpointRecord::name_at) != kept.end()) {
      jvm::BreakpointRecords::take_out(record);
    }
  }
  return true;
}

// Reads the records at one moment, in which no breakpoint is cleared. Nothing while a class is
// being changed.
std::optional<Breakpoints::Records> Breakpoints::records_in(jclass type) {
  const auto methods = uses_.env.get_class_methods(type);
  Records found;
  const std::scoped_lock lock(mutex_);
  if (redefining_ > 0 || !methods) {
    return std::nullopt;
  }
  auto records = records_.of(methods->span());
  for (std::size_t number = 0; records && number < records->size(); ++number) {
    if (!(*records)[number].empty()) {
      found.records.emplace(methods->span()[number], std::move((*records)[number]));
    }
  }
  if (!found.records.empty()) {
    found.wanted = to_remove_;
    std::ranges::for_each(counts_, [&](const auto& one) { found.wanted.insert(one.first); });
  }
  return found;
}

bool Breakpoints::is_clean(const jvm::Jni& jni, jclass type, jint changes) {
  std::shared_ptr<const Clean> clean;
  {
    const std::scoped_lock lock(mutex_);
    clean = clean_;
  }
  return clean && clean->changes == changes && jni.same(clean->type.lock(jni), type);
}

void Breakpoints::note_clean(const jvm::Jni& jni, jclass type, jint changes) {
  auto clean = std::make_shared<const Clean>(jni.weak(type), changes);
  const std::scoped_lock lock(mutex_);
  clean_.swap(clean);
}

// Returns the indices of breakpoints whose record may not fit the code; none if the VM keeps the
// versions of a method apart. Nothing if some are in a version that a hot swap has replaced.
std::optional<std::set<jlocation>> Breakpoints::indices_in_use(const jvm::Jni& jni, jclass type,
                                                               jmethodID method,
                                                               const CodeLocations& wanted) {
  const auto view = uses_.env.code_view(method);
  const auto name = uses_.env.get_method_name(method);
  std::set<jlocation> indices;
  std::set<jmethodID> others;
  for (const CodeLocation& location : wanted) {
    if (location.method != method) {
      others.insert(location.method);
    } else if (!keeps_versions_apart(uses_.env)) {
      indices.insert(view ? view->actual_index(location.index) : location.index);
    }
  }
  const bool is_any_of_name = std::ranges::any_of(others, [&](jmethodID other) {
    const auto declaring = uses_.env.get_method_declaring_class(other);
    const auto owned = jni.adopt(declaring.value_or(nullptr));
    const auto other_name = uses_.env.get_method_name(other);
    return jni.same(owned, type) && (!name || !other_name ||
                                     (name->name.view() == other_name->name.view() &&
                                      name->signature.view() == other_name->signature.view()));
  });
  return is_any_of_name ? std::nullopt : std::optional(std::move(indices));
}

jvm::Result<void> Breakpoints::set(const CodeLocation& location) {
  return uses_.env.set_breakpoint(location.method, location.index, [&] {
    const jvm::Jni jni = uses_.env.jni();
    const auto declaring = uses_.env.get_method_declaring_class(location.method);
    if (const auto type = jni.adopt(declaring.value_or(nullptr))) {
      (void)take_out_left_records(jni, type, location.method);
    }
  });
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
         (would_harm(location) || !take_out_left_records(jni, type, location.method));
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
