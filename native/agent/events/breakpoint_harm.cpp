// SPDX-License-Identifier: Apache-2.0
// The part of Breakpoints that knows where one would make the VM run wrong code.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <span>
#include <unordered_map>
#include <utility>

#include "agent/agent.h"
#include "agent/events/breakpoints.h"
#include "agent/events/method_codes.h"
#include "agent/jvm/redefinitions.h"

namespace jvmdebug::agent::events {
namespace {

// Whether the code has the opcode there that the record has, or one for which the VM puts in
// others.
bool is_of_code(const jvm::BreakpointRecord& record, std::span<const std::uint8_t> code) {
  constexpr std::uint8_t kLast = 201;  // jsr_w
  // ldc, ldc_w, iload, aload_0, lookupswitch, return, getfield, putfield, invokevirtual
  constexpr std::array<std::uint8_t, 9> kReplaced{18, 19, 21, 42, 171, 177, 180, 181, 182};
  if (record.index < 0 || std::cmp_greater_equal(record.index, code.size())) {
    return false;
  }
  const std::uint8_t opcode = code[static_cast<std::size_t>(record.index)];
  return record.opcode == opcode ||
         (record.opcode > kLast && std::ranges::find(kReplaced, opcode) != kReplaced.end());
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

// Of a breakpoint in other code, so that the method's own would come out wrong with it.
bool Breakpoints::has_foreign_record(jmethodID method) {
  const auto code = agent_.jvmti().get_actual_bytecodes(method);
  if (!code) {
    return false;
  }
  const std::scoped_lock lock(mutex_);  // nobody clears one
  if (redefining_ > 0) {
    return true;
  }
  const auto records = records_.of(method);
  return records && std::ranges::any_of(*records, [&](const jvm::BreakpointRecord& record) {
           return !is_of_code(record, code->span());
         });
}

bool Breakpoints::may_harm(const CodeLocation& location) {
  const jvm::Jni jni = agent_.jni();
  const auto declaring = agent_.jvmti().get_method_declaring_class(location.method);
  const auto type = jni.adopt(declaring.value_or(nullptr));
  return type && jvm::redefinitions_of(jni, type) != 0 &&
         (MethodCodes(agent_.jvmti()).uses_field(location) || has_foreign_record(location.method));
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
