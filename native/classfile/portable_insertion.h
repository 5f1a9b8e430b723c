// SPDX-License-Identifier: Apache-2.0
//
// Inserted code that fits into any class file with the same method: the members that its
// instructions name are kept by name, as each class file numbers its constants in its own way.
#pragma once

#include <cstddef>
#include <vector>

#include "classfile/constant_pool.h"
#include "classfile/relocation.h"
#include "classfile/rewrite_error.h"

namespace jvmdebug::classfile {

struct PortableInsertion {
  struct Named {
    std::size_t at = 0;  // of the two bytes, in the code
    MemberReference member;
  };

  Insertion insertion;
  std::vector<Named> named;
};

// kMalformed for code that names other constants than fields and methods.
[[nodiscard]] Rewritten<PortableInsertion> portable(const Insertion& insertion,
                                                    const ConstantPool& pool);

// The insertion with the constants of that pool, to which they are added.
[[nodiscard]] Rewritten<Insertion> fitted(const PortableInsertion& portable, ConstantPool& pool);

}  // namespace jvmdebug::classfile
