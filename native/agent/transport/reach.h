// SPDX-License-Identifier: Apache-2.0
//
// Checks that an address which a network reaches is guarded by a token: a debugger that connects
// can run code in the program. Called by the entry points, before there is a socket.
#pragma once

#include <expected>

#include "agent/options/options.h"

namespace jvmdebug::agent {

// Takes the token file of the environment if the option names none, and checks that there is a
// token in it. An error if the address is reached over a network and no token is asked for, unless
// insecure=y says so; then it is told to the log.
[[nodiscard]] std::expected<void, OptionError> check_reach(Options& options);

}  // namespace jvmdebug::agent
