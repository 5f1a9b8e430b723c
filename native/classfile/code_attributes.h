// SPDX-License-Identifier: Apache-2.0
//
// Adjusts the attributes of a Code attribute to code whose instructions have moved. An attribute
// that no VM reads, or that is malformed and not checked by the VM, is kept as it is.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "classfile/relocation.h"
#include "classfile/rewrite_error.h"

namespace jvmdebug::classfile {

[[nodiscard]] Rewritten<std::vector<std::uint8_t>> move_attribute(
    std::string_view name, std::span<const std::uint8_t> content, const Relocation& relocation);

}  // namespace jvmdebug::classfile
