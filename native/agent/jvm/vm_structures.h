// SPDX-License-Identifier: Apache-2.0
//
// Where HotSpot has what neither JNI nor JVM TI tells. The VM exports tables of where its
// structures have their fields and of what its constants are, for tools that read its memory from
// outside (gHotSpotVMStructs, gHotSpotVMIntConstants). The agent reads the same memory from inside,
// see vm_memory.h. The option vmreads=n switches that off.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string_view>

#include "agent/jvm/env.h"

namespace jvmdebug::agent::jvm {

// What the library of the VM exports; null where it has none of that name.
using VmExports = std::function<void*(const char* name)>;

// Those of the VM of an environment, which is to be there for as long as they are used.
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

// Both fill in those that the VM has, and return how many these are.
[[nodiscard]] std::size_t find_fields(const VmExports& exports,
                                      std::span<const WantedField> wanted);
[[nodiscard]] std::size_t find_constants(const VmExports& exports,
                                         std::span<const WantedConstant> wanted);

}  // namespace jvmdebug::agent::jvm
