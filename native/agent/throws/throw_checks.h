// SPDX-License-Identifier: Apache-2.0
//
// The calls that report what is thrown and was not made in the same place (open_throws.h): in front
// of each such instruction one of the class that Throwable calls as well (throw_hook.h). Makes
// bytes only; ThrowCalls puts them into classes that are loaded, and into those that are loaded
// later.
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

// The number, in the code, of these calls. No check has it.
inline constexpr std::uint16_t kThrowCheck = kThrowReport - 1;

// Whether a class may have them, by its name: a/b/C. Not those of the agent, nor those by which the
// VM runs what a call site or a method handle names: what these throw is made anew.
[[nodiscard]] bool may_check_throws(std::string_view name);

// Adds the calls, behind what else is inserted there.
[[nodiscard]] classfile::Rewritten<void> add_throw_checks(classfile::ClassFile& file,
                                                          MethodInsertions& insertions);

// The class file with the calls and nothing else; none if there are none, or they cannot be.
[[nodiscard]] std::optional<std::vector<std::uint8_t>> with_throw_checks(
    std::span<const std::uint8_t> original);

// What a method of a loaded class has.
enum class ThrowChecks : std::uint8_t { kNoNeed, kLacking, kThere };

// By its code alone, so that some lack what they do not need.
[[nodiscard]] ThrowChecks throw_checks_in(std::span<const std::uint8_t> code);

// Whether methods of a loaded class have them.
[[nodiscard]] bool has_throw_checks(const jvm::Env& env, jclass type);

}  // namespace jvmdebug::agent::throws
