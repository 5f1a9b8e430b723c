// SPDX-License-Identifier: Apache-2.0
//
// What the agent has put into the methods of a class, in a form that fits into another class file
// of the same class. Knows bytes and no VM.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "classfile/class_file.h"
#include "classfile/portable_insertion.h"

namespace jvmdebug::agent::code {

struct Inserted {
  std::vector<classfile::PortableInsertion> insertions;
  std::uint16_t deeper = 0;  // words by which the operand stack is deeper than the code needs
};

// Maps the name and descriptor of each method that has insertions to them.
using ClassInsertions = std::map<std::string, Inserted, std::less<>>;

// Returns the method's name followed by its descriptor.
[[nodiscard]] std::string full_name(const classfile::ClassFile& file,
                                    const classfile::Method& method);

// Returns the insertions of a class file in which the operand stacks of the `deepened` methods are
// deeper by `words`. Leaves out methods with an insertion that cannot be moved to another class
// file.
[[nodiscard]] ClassInsertions inserted_into(const classfile::ClassFile& file,
                                            const classfile::MethodInsertions& insertions,
                                            const std::set<std::string>& deepened,
                                            std::uint16_t words);

}  // namespace jvmdebug::agent::code
