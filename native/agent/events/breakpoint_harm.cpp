// SPDX-License-Identifier: Apache-2.0
// The part of Breakpoints that knows where one would make the VM run wrong code.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <unordered_map>
#include <vector>

#include "agent/agent.h"
#include "agent/events/breakpoints.h"
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

// Those for breakpoints that are gone, in code that is gone: one in the method as it is now would
// come out wrong with them. False if some may be left. A record that does not fit the code stays as
// long as the class, so that nobody frees it before it is written.
bool Breakpoints::take_out_left_records(const jvm::Jni& jni, jclass type, jmethodID method) {
  const auto changes = jvm::redefinitions_of(jni, type);
  const auto code = changes == 0 ? jvm::Result<jvm::Buffer<unsigned char>>()
                                 : agent_.jvmti().get_actual_bytecodes(method);
  if (changes == 0 || !code) {
    return true;
  }
  std::vector<jvm::BreakpointRecord> records;
  CodeLocations wanted;
  {
    const std::scoped_lock lock(mutex_);  // nobody clears one
    if (redefining_ > 0) {
      return false;
    }
    records = records_.of(method).value_or(std::vector<jvm::BreakpointRecord>());
    std::erase_if(records, [&](const auto& each) { return jvm::is_of_code(each, code->span()); });
    if (!records.empty()) {
      wanted = to_remove_;
      std::ranges::for_each(counts_, [&](const auto& one) { wanted.insert(one.first); });
    }
  }
  if (jvm::redefinitions_of(jni, type) != changes) {
    return false;  // the records may be of other code
  }
  if (records.empty()) {
    return true;
  }
  const auto in_use = indices_in_use(jni, type, method, wanted);
  if (!changes || !in_use) {
    return false;
  }
  const auto stay = std::ranges::partition(
      records, [&](const auto& each) { return !in_use->contains(each.index); });
  std::for_each(records.begin(), stay.begin(), jvm::BreakpointRecords::take_out);
  return stay.empty();
}

// Of breakpoints that may have a record which does not fit the code, if the VM keeps the versions
// of a method apart: none. Else (JDK-8266497, ..16) a breakpoint is also set in a version that has
// other code. Nothing if there are some in a version that a hot swap has replaced.
std::optional<std::set<jlocation>> Breakpoints::indices_in_use(const jvm::Jni& jni, jclass type,
                                                               jmethodID method,
                                                               const CodeLocations& wanted) {
  constexpr jint kKeepsVersionsApart = 17;
  const bool may_fit_another = agent_.jvmti().feature_version() < kKeepsVersionsApart;
  const auto view = agent_.jvmti().code_view(method);
  const auto name = agent_.jvmti().get_method_name(method);
  std::set<jlocation> indices;
  std::set<jmethodID> others;
  for (const CodeLocation& location : wanted) {
    if (location.method != method) {
      others.insert(location.method);
    } else if (may_fit_another) {
      indices.insert(view ? view->actual_index(location.index) : location.index);
    }
  }
  const bool is_any_of_name = std::ranges::any_of(others, [&](jmethodID other) {
    const auto declaring = agent_.jvmti().get_method_declaring_class(other);
    const auto owned = jni.adopt(declaring.value_or(nullptr));
    const auto other_name = agent_.jvmti().get_method_name(other);
    return jni.same(owned, type) && (!name || !other_name ||
                                     (name->name.view() == other_name->name.view() &&
                                      name->signature.view() == other_name->signature.view()));
  });
  return is_any_of_name ? std::nullopt : std::optional(std::move(indices));
}

jvm::Result<void> Breakpoints::set(const CodeLocation& location) {
  return agent_.jvmti().set_breakpoint(location.method, location.index, [&] {
    const jvm::Jni jni = agent_.jni();
    const auto declaring = agent_.jvmti().get_method_declaring_class(location.method);
    if (const auto type = jni.adopt(declaring.value_or(nullptr))) {
      (void)take_out_left_records(jni, type, location.method);
    }
  });
}

bool Breakpoints::may_harm(const CodeLocation& location) {
  const jvm::Jni jni = agent_.jni();
  const auto declaring = agent_.jvmti().get_method_declaring_class(location.method);
  const auto type = jni.adopt(declaring.value_or(nullptr));
  return type && jvm::redefinitions_of(jni, type) != 0 &&
         (MethodCodes(agent_.jvmti()).uses_field(location) ||
          !take_out_left_records(jni, type, location.method));
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
  MethodCodes codes(agent_.jvmti());
  return std::ranges::any_of(all_in(type), [&](const auto& one) {
    const auto found = left.find(one.first);
    const bool is_left = found != left.end() && found->second >= one.second;
    return !is_left && codes.uses_field(one.first);
  });
}

}  // namespace jvmdebug::agent::events
