// SPDX-License-Identifier: Apache-2.0
#include "agent/jvm/vm_structures.h"

#include <optional>

#include "agent/jvm/vm_library.h"
#include "agent/jvm/vm_memory.h"

namespace jvmdebug::agent::jvm {
namespace {

constexpr std::size_t kMostEntries = 20'000;

// Reads one of the 64-bit numbers that describe a table.
std::optional<std::uint64_t> number(const VmExports& exports, const char* name) {
  const auto* const found = static_cast<const std::uint64_t*>(exports(name));
  return found == nullptr ? std::nullopt : std::optional(*found);
}

const char* text_at(Address entry, std::uint64_t offset) {
  return *reinterpret_cast<const char* const*>(entry + offset);
}

}  // namespace

VmExports exports_of(const Env& env) {
  return [&env](const char* name) { return vm_function(env, name); };
}

std::size_t find_fields(const VmExports& exports, std::span<const WantedField> wanted) {
  const auto* const begin = static_cast<const Address*>(exports("gHotSpotVMStructs"));
  const auto stride = number(exports, "gHotSpotVMStructEntryArrayStride");
  const auto type = number(exports, "gHotSpotVMStructEntryTypeNameOffset");
  const auto field = number(exports, "gHotSpotVMStructEntryFieldNameOffset");
  const auto offset = number(exports, "gHotSpotVMStructEntryOffsetOffset");
  if (begin == nullptr || !stride || !type || !field || !offset) {
    return 0;
  }
  std::size_t found = 0;
  for (std::size_t at = 0; at < kMostEntries; ++at) {
    Address const entry = *begin + at * *stride;
    const char* const type_name = text_at(entry, *type);
    const char* const field_name = text_at(entry, *field);
    if (type_name == nullptr || field_name == nullptr) {
      break;
    }
    for (const WantedField& each : wanted) {
      if (each.type == type_name && each.field == field_name) {
        *each.offset = *reinterpret_cast<const std::uint64_t*>(entry + *offset);
        ++found;
      }
    }
  }
  return found;
}

std::size_t find_constants(const VmExports& exports, std::span<const WantedConstant> wanted) {
  const auto* const begin = static_cast<const Address*>(exports("gHotSpotVMIntConstants"));
  const auto stride = number(exports, "gHotSpotVMIntConstantEntryArrayStride");
  const auto name = number(exports, "gHotSpotVMIntConstantEntryNameOffset");
  const auto value = number(exports, "gHotSpotVMIntConstantEntryValueOffset");
  if (begin == nullptr || !stride || !name || !value) {
    return 0;
  }
  std::size_t found = 0;
  for (std::size_t at = 0; at < kMostEntries; ++at) {
    Address const entry = *begin + at * *stride;
    const char* const entry_name = text_at(entry, *name);
    if (entry_name == nullptr) {
      break;
    }
    for (const WantedConstant& each : wanted) {
      if (each.name == entry_name) {
        *each.value = *reinterpret_cast<const std::int32_t*>(entry + *value);
        ++found;
      }
    }
  }
  return found;
}

}  // namespace jvmdebug::agent::jvm
