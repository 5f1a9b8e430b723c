// SPDX-License-Identifier: Apache-2.0
//
// Finds the instructions of a method's code that write a field. Works on bytes only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "classfile/constant_pool.h"

namespace jvmdebug::classfile {

// A field, as named by instructions.
struct NamedField {
  std::string name;
  std::string descriptor;
  std::set<std::string, std::less<>> owners;  // a/b/C: any of these

  // Whether the class with this `signature`, such as La/b/C;, is one of the owners.
  [[nodiscard]] bool owns(std::string_view signature) const;
};

// Returns the indices of the constants that name the field.
[[nodiscard]] std::set<std::size_t> constants_of(const ConstantPool& pool, const NamedField& field);

// Finds the instructions that write a field with one of these constants, in order.
[[nodiscard]] std::vector<std::size_t> field_stores(std::span<const std::uint8_t> code,
                                                    const std::set<std::size_t>& constants);

}  // namespace jvmdebug::classfile
