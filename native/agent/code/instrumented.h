// SPDX-License-Identifier: Apache-2.0
//
// Makes class files with the calls of the clients in their methods. Knows bytes and no VM.
#pragma once

#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "agent/code/class_insertions.h"
#include "agent/code/code_client.h"
#include "classfile/rewrite_error.h"

namespace jvmdebug::agent::code {

// Methods, by name and descriptor, that must differ from their version before, even if their calls
// are the same.
struct Renewal {
  std::set<std::string> methods;
  // The number of words by which their operand stacks become deeper than needed. It differs from
  // that of the version before.
  std::uint16_t words = 0;
};

struct Instrumented {
  std::vector<std::uint8_t> class_file;
  std::string left_out;  // why something is left out; empty if nothing is
  ClassInsertions inserted;
};

// Returns the class file with the calls of the clients. `of` is handed to them.
[[nodiscard]] classfile::Rewritten<Instrumented> instrumented(
    std::span<const std::uint8_t> original, const ChangedClass& of,
    std::span<CodeClient* const> clients, const Renewal& renewal);

// Returns the class file with deeper operand stacks and without calls.
[[nodiscard]] classfile::Rewritten<std::vector<std::uint8_t>> deepened(
    std::span<const std::uint8_t> original, const Renewal& renewal);

}  // namespace jvmdebug::agent::code
