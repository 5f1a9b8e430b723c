// SPDX-License-Identifier: Apache-2.0
//
// launch=COMMAND: starts the debugger's process. The command is split at blanks, without a shell;
// transport and address are appended, as the JDK's own agent does. Called by session.
#pragma once

#include <optional>
#include <string>

namespace jvmdebug::agent {

// Returns why it did not start; empty when it did. Nothing waits for the process to end.
[[nodiscard]] std::optional<std::string> launch_debugger(const std::string& command,
                                                         std::string_view transport,
                                                         const std::string& address);

}  // namespace jvmdebug::agent
