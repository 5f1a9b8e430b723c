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
    std::size_t at = 0;  // the position of the two bytes in the code
    MemberReference member;
  };

  Insertion insertion;
  std::vector<Named> named;
};

// Makes a portable insertion; kMalformed for code that names constants other than fields and
// methods.
[[nodiscard]] Rewritten<PortableInsertion> portable(const Insertion& insertion,
                                                    const ConstantPool& pool);

// Returns the insertion with constants of that pool, to which they are added.
[[nodiscard]] Rewritten<Insertion> fitted(const PortableInsertion& portable, ConstantPool& pool);

}  // namespace jvmdebug::classfile
