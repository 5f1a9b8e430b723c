// SPDX-License-Identifier: Apache-2.0
//
// The outcome of a change of classes, in words for people.
#pragma once

#include <expected>
#include <string>
#include <string_view>

#include "agent/jvm/result.h"

namespace jvmdebug::agent::code {

// The error is the reason, for people.
using Outcome = std::expected<void, std::string>;

// The reason why no class can be changed now.
inline constexpr const char* kBusy =
    "a thread is about to set a breakpoint, and is suspended there";

// Returns the reason `what` together with the error of the VM.
[[nodiscard]] std::string because(std::string_view what, jvm::Error error);

// Whether a change of several classes has failed because of one of them.
[[nodiscard]] bool is_of_classes(const std::string& error);

}  // namespace jvmdebug::agent::code
