// SPDX-License-Identifier: Apache-2.0
//
// The file of a debugger's token (token-file=): a regular file with one line, which only its owner
// may read. It is read at the start, and again for each debugger, see token_gate.h.
#pragma once

#include <expected>
#include <string>

namespace jvmdebug::agent {

// Returns the token without the line end behind it; never an empty one. The error says why the file
// cannot be used: it is missing, no regular file, too long or empty, or others may read it.
[[nodiscard]] std::expected<std::string, std::string> read_token(const std::string& file);

}  // namespace jvmdebug::agent
