// SPDX-License-Identifier: Apache-2.0
//
// Which instructions of a method's code write a field. Knows bytes only.
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

// A field, as instructions name it.
struct NamedField {
  std::string name;
  std::string descriptor;
  std::set<std::string, std::less<>> owners;  // a/b/C: any of these

  // `signature`: La/b/C;
  [[nodiscard]] bool owns(std::string_view signature) const;
};

// The indices of the constants that name it.
[[nodiscard]] std::set<std::size_t> constants_of(const ConstantPool& pool, const NamedField& field);

// Where instructions that write a field have one of these constants, in order.
[[nodiscard]] std::vector<std::size_t> field_stores(std::span<const std::uint8_t> code,
                                                    const std::set<std::size_t>& constants);

}  // namespace jvmdebug::classfile
