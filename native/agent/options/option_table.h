// SPDX-License-Identifier: Apache-2.0
//
// Every option of the agent: its name, how it is read, what help says. Used by options (parsing)
// and usage (help) only.
//
// To add an option: a member of Options, a setter in option_table.cpp, a line in its table, a row
// in docs/how-to/jdwp-clients.md (a test compares that table with help).
#pragma once

#include <expected>
#include <span>
#include <string_view>

#include "agent/options/options.h"

namespace jvmdebug::agent {

// What is known after reading the items one by one, in any order.
struct GivenOptions {
  Options options;
  bool transport_given = false;
  bool unix_transport = false;
  std::string_view address;  // means what the transport says; empty: none
};

struct OptionEntry {
  std::string_view name;
  std::string_view value = {};     // what help says of the value
  std::string_view fallback = {};  // what help says of the default
  std::string_view meaning = {};   // empty: accepted, and told in one line with its like
  std::expected<void, OptionError> (*set)(std::string_view name, std::string_view value,
                                          GivenOptions& given);
};

[[nodiscard]] std::span<const OptionEntry> option_table();

}  // namespace jvmdebug::agent
