// SPDX-License-Identifier: Apache-2.0
//
// All options of the agent: name, parser and text of the help. Used by options (parsing) and usage
// (help) only.
//
// To add an option: a member of Options, a setter in option_table.cpp, a line in its table, a row
// in docs/how-to/jdwp-clients.md (a test compares that table with help).
#pragma once

#include <expected>
#include <span>
#include <string_view>

#include "agent/options/options.h"

namespace jvmdebug::agent {

// The result of reading the items one by one, in any order.
struct GivenOptions {
  Options options;
  std::string_view transport;  // empty if not given
  std::string_view address;    // its meaning depends on the transport; empty if not given
};

struct OptionEntry {
  std::string_view name;
  std::string_view value = {};     // the value in the help text
  std::string_view fallback = {};  // the default in the help text
  std::string_view meaning = {};   // empty: accepted; help lists all of these in one line
  std::expected<void, OptionError> (*set)(std::string_view name, std::string_view value,
                                          GivenOptions& given);
};

[[nodiscard]] std::span<const OptionEntry> option_table();

}  // namespace jvmdebug::agent
