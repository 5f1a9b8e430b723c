// SPDX-License-Identifier: Apache-2.0
#include "agent/probes/change_limits.h"

#include <cstddef>
#include <string_view>

#include "agent/code/code_changes.h"
#include "agent/events/breakpoints.h"
#include "agent/probes/old_frames.h"
#include "classfile/constant_pool.h"
#include "codec/reader.h"

namespace jvmdebug::agent::probes {
namespace {

constexpr const char* kInUse = "a thread runs the method now, and may come there again";
constexpr const char* kFieldAccess =
    "the VM would run wrong code at another breakpoint in the class, which is at an access to a "
    "field";
constexpr const char* kLeftRecord =
    "the VM has kept a record of a breakpoint that is gone, with which it could crash at another "
    "breakpoint in the method, once its code has changed";
constexpr const char* kChangedBefore =
    "the class was changed before, and a VM before JDK 17 would crash (JDK-8266497)";
constexpr const char* kTooMany = "there are too many virtual threads to see which run the method";

}  // namespace

code::Outcome ChangeLimits::check_possible(jclass type) const {
  if (!may_change_) {
    return std::unexpected("the agent was told not to (probes=n)");
  }
  const auto signature = env_.get_class_signature_only(type);
  if (!signature || signature->view().find('.') != std::string_view::npos) {
    return std::unexpected("the VM does not let anybody change a hidden class");
  }
  // HotSpot does not find this constant again in the constant pool of the class before, so it adds
  // another one, and makes each ldc of it an ldc_w, which moves the code behind.
  const auto raw = env_.get_constant_pool(type);
  if (raw) {
    codec::Reader reader(raw->bytes.span());
    const auto pool =
        classfile::ConstantPool::read(reader, static_cast<std::size_t>(raw->entry_count));
    if (pool && pool->has_float_nan()) {
      return std::unexpected("the VM would move the instructions of a class that has Float.NaN");
    }
  }
  return {};
}

// `entering`: locations where the VM has breakpoints that probes replace in the same change.
code::Outcome ChangeLimits::check_unharmed(const jvm::Jni& jni, jclass type,
                                           std::span<const events::CodeLocation> entering) const {
  if (breakpoints_.would_harm_after_change(type, entering)) {
    return std::unexpected(kFieldAccess);
  }
  if (changes_.was_changed_by_others(jni, type)) {
    return std::unexpected(kChangedBefore);
  }
  return {};
}

std::string ChangeLimits::why_in_use(bool is_known) {
  return is_known ? kInUse : kTooMany;
}

// Refuses a method where hits would be lost, or where HotSpot would take frames for those of
// another version (code/kept_frames.h).
code::Outcome ChangeLimits::check_unused(const jvm::Jni& jni, jclass type, jmethodID method,
                                         std::span<const events::CodeLocation> entering) const {
  if (!changes_.reports_breakpoints()) {
    return {};
  }
  if (const auto unharmed = check_unharmed(jni, type, entering); !unharmed) {
    return unharmed;
  }
  const auto stacks = old_frames_.stacks(jni);
  if (!stacks) {
    return std::unexpected(kTooMany);
  }
  if (is_in_use(jni, *stacks, type, method)) {
    return std::unexpected(kInUse);
  }
  return check_records(type, method, entering);
}

code::Outcome ChangeLimits::check_records(jclass type, jmethodID method,
                                          std::span<const events::CodeLocation> entering) const {
  return breakpoints_.would_crash_after_change(type, method, entering)
             ? std::unexpected(kLeftRecord)
             : code::Outcome{};
}

bool ChangeLimits::is_in_use(const jvm::Jni& jni, const code::ThreadStacks& stacks, jclass type,
                             jmethodID method) const {
  return changes_.is_in_use(jni, stacks, type, method,
                            [&](jmethodID each) { return old_frames_.would_matter(stacks, each); });
}

bool ChangeLimits::may_change(jmethodID method, code::StackLook& look) const {
  return look.may_change(method, [&] { return may_change_now(method, look); });
}

bool ChangeLimits::may_change_now(jmethodID method, code::StackLook& look) const {
  const jvm::Jni jni = env_.jni();
  const auto raw = env_.get_method_declaring_class(method);
  const auto type = jni.adopt(raw.value_or(nullptr));
  if (!type || changes_.was_changed_by_others(jni, type)) {
    return false;
  }
  if (breakpoints_.is_empty() || !changes_.reports_breakpoints()) {
    return true;
  }
  if (!check_unharmed(jni, type, {})) {
    return false;
  }
  const auto& stacks = stacks_of(look);
  return stacks && !is_in_use(jni, *stacks, type, method) &&
         check_records(type, method, {}).has_value();
}

const std::optional<code::ThreadStacks>& ChangeLimits::stacks_of(code::StackLook& look) const {
  return look.stacks([&] { return old_frames_.stacks(env_.jni()); });
}

}  // namespace jvmdebug::agent::probes
