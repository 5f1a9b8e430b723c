// SPDX-License-Identifier: Apache-2.0
//
// What comes of a change of classes, in words for people.
#pragma once

#include <expected>
#include <string>
#include <string_view>

#include "agent/jvm/result.h"

namespace jvmdebug::agent::code {

// An error is the reason, for people.
using Outcome = std::expected<void, std::string>;

// Why no class can be changed now.
inline constexpr const char* kBusy =
    "a thread is about to set a breakpoint, and is suspended there";

// A reason, with the error of the VM.
[[nodiscard]] std::string because(std::string_view what, jvm::Error error);

// Says whether one of the classes is the reason for which a change of them has failed.
[[nodiscard]] bool is_of_classes(const std::string& error);

}  // namespace jvmdebug::agent::code
