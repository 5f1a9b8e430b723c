// SPDX-License-Identifier: Apache-2.0
//
// Files that must not be open to others.
#pragma once

#include <cstddef>
#include <expected>
#include <string>

namespace jvmdebug::agent::platform {

// Reads a regular file that no other user may use, up to `longest` bytes and one more. The error is
// the reason, for people, with what to do.
[[nodiscard]] std::expected<std::string, std::string> read_private_file(const std::string& file,
                                                                        std::size_t longest);

}  // namespace jvmdebug::agent::platform
