// SPDX-License-Identifier: Apache-2.0
//
// The calls that report exceptions which are thrown where they were not made (open_throws.h). In
// front of each such instruction is a call of thrown() of JvmdebugThrows (throw_hook.h). Makes
// bytes only; ThrowCalls puts the calls into classes that are loaded, and into classes that are
// being loaded.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include <jvmti.h>

#include "agent/jvm/env.h"
#include "agent/throws/throw_hook.h"
#include "classfile/class_file.h"
#include "classfile/rewrite_error.h"

namespace jvmdebug::agent::throws {

// The number that these calls have in the code. No check has it.
inline constexpr std::uint16_t kThrowCheck = kThrowReport - 1;

// Whether a class may have the calls, by its name: a/b/C. Classes of the agent may not, nor classes
// of the JDK that run call sites and method handles: the VM constructs new exceptions for what
// these throw.
[[nodiscard]] bool may_check_throws(std::string_view name);

// Adds the calls, behind what else is inserted at the same places.
[[nodiscard]] classfile::Rewritten<void> add_throw_checks(classfile::ClassFile& file,
                                                          MethodInsertions& insertions);

// Returns the class file with the calls and nothing else; none if there is no place for them, or if
// they are not possible.
[[nodiscard]] std::optional<std::vector<std::uint8_t>> with_throw_checks(
    std::span<const std::uint8_t> original);

// What the code of a loaded method has.
enum class ThrowChecks : std::uint8_t { kNoNeed, kLacking, kThere };

// Judges by the code alone, so a method may count as lacking calls that it does not need.
[[nodiscard]] ThrowChecks throw_checks_in(std::span<const std::uint8_t> code);

// Whether methods of a loaded class have the calls.
[[nodiscard]] bool has_throw_checks(const jvm::Env& env, jclass type);

}  // namespace jvmdebug::agent::throws
