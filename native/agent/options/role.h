// SPDX-License-Identifier: Apache-2.0
//
// What a debugger may do, by its token. The numbers are those of the wire (token_gate.h).
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>

namespace jvmdebug::agent {

enum class Role : std::uint8_t {
  kDebug = 0,     // everything
  kObserve = 1,   // reads, counts and measures
  kReadOnly = 2,  // reads
};

// Whether a debugger of that role may do what needs another one: each may do what those behind it
// may.
[[nodiscard]] constexpr bool may(Role role, Role needed) {
  return role <= needed;
}

// A file with a token, and what it is for.
struct TokenFile {
  std::string path;
  Role role = Role::kDebug;
};

// The role that may do less.
[[nodiscard]] constexpr Role narrower(Role one, Role other) {
  return std::max(one, other);
}

}  // namespace jvmdebug::agent
