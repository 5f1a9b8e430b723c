// SPDX-License-Identifier: Apache-2.0
//
// What the agent has put into the methods of a class, in a form that fits into another class file
// of it. Knows bytes and no VM.
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
  std::uint16_t deeper = 0;  // words of the operand stack beyond what the code needs
};

// By name and descriptor of the method; those into which nothing was put are not there.
using ClassInsertions = std::map<std::string, Inserted, std::less<>>;

// Name and descriptor.
[[nodiscard]] std::string full_name(const classfile::ClassFile& file,
                                    const classfile::Method& method);

// Of insertions into the file, in which the stacks of some methods are deeper. Without the methods
// whose insertions are of no form that fits elsewhere.
[[nodiscard]] ClassInsertions inserted_into(const classfile::ClassFile& file,
                                            const classfile::MethodInsertions& insertions,
                                            const std::set<std::string>& deepened,
                                            std::uint16_t words);

}  // namespace jvmdebug::agent::code
