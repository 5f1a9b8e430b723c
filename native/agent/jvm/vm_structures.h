// SPDX-License-Identifier: Apache-2.0
//
// Finds HotSpot's structures for facts that neither JNI nor JVM TI gives. The VM exports tables of
// the offsets of its fields and of its constants, for tools that read its memory from outside
// (gHotSpotVMStructs, gHotSpotVMIntConstants). The agent reads the same memory from inside, see
// vm_memory.h. The option vmreads=n switches that off.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string_view>

#include "agent/jvm/env.h"

namespace jvmdebug::agent::jvm {

// Finds a symbol that the library of the VM exports; null if there is none of that name.
using VmExports = std::function<void*(const char* name)>;

// The exports of the VM of an environment, which must live as long as they are used.
[[nodiscard]] VmExports exports_of(const Env& env);

struct WantedField {
  std::string_view type;
  std::string_view field;
  std::uint64_t* offset;
};

struct WantedConstant {
  std::string_view name;
  std::int32_t* value;
};

// Both fill in the entries that the VM has, and return their number.
[[nodiscard]] std::size_t find_fields(const VmExports& exports,
                                      std::span<const WantedField> wanted);
[[nodiscard]] std::size_t find_constants(const VmExports& exports,
                                         std::span<const WantedConstant> wanted);

}  // namespace jvmdebug::agent::jvm
