// SPDX-License-Identifier: Apache-2.0
//
// Inserted code that fits into any class file with the same method: the members that its
// instructions use are kept by name, because each class file numbers its constants differently.
#pragma once

#include <cstddef>
#include <vector>

#include "classfile/constant_pool.h"
#include "classfile/relocation.h"
#include "classfile/rewrite_error.h"

namespace jvmdebug::classfile {

struct PortableInsertion {
  struct Named {
    std::size_t at = 0;      // the position of the two bytes in the code
    MemberReference member;  // of a class only the owner
  };

  Insertion insertion;
  std::vector<Named> named;
  // The classes that the frames of its jump name, by the position of the two bytes in their types.
  std::vector<Named> at_start;
  std::vector<Named> at_target;
  // The constants of its variables in the same way.
  std::vector<Named> variables;
  std::vector<Named> variables_at_start;
  std::vector<Named> saved;
  std::vector<Named> handler;
};

// Makes a portable insertion; kMalformed for code that names constants other than fields, methods
// and the classes of casts.
[[nodiscard]] Rewritten<PortableInsertion> portable(const Insertion& insertion,
                                                    const ConstantPool& pool);

// Returns the insertion with constants of that pool, to which they are added.
[[nodiscard]] Rewritten<Insertion> fitted(const PortableInsertion& portable, ConstantPool& pool);

}  // namespace jvmdebug::classfile
