// SPDX-License-Identifier: Apache-2.0
//
// Whether HotSpot takes a method of two class files for the same. Knows bytes only.
#pragma once

#include <cstdint>
#include <optional>

#include "agent/probes/class_file.h"

namespace jvmdebug::agent::probes {

// By how much the operand stack of the first one is deeper, if otherwise they certainly are the
// same. Nothing where that depends on dynamic constants, and for methods without code.
[[nodiscard]] std::optional<std::uint16_t> deeper_by(const ClassFile& one, const Method& method,
                                                     const ClassFile& other,
                                                     const Method& other_method);

}  // namespace jvmdebug::agent::probes
