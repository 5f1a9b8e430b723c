// SPDX-License-Identifier: Apache-2.0
#include "agent/jvm/breakpoint_records.h"

#include <array>
#include <atomic>
#include <cstddef>
#include <map>
#include <span>
#include <utility>

#include "agent/jvm/vm_structures.h"
#include "classfile/opcodes.h"

namespace jvmdebug::agent::jvm {
namespace {

// A method id is the address of a pointer to the method, as long as the class is loaded.
constexpr jint kFirstWithPointers = 11;
constexpr jint kLastWithPointers = 25;

// The opcodes with which the VM replaces others, by the first of each group (JDK 11 to 25).
struct Replacement {
  std::uint8_t first;
  std::uint8_t replaced;
};

constexpr std::uint8_t kLdc = 18;
constexpr std::uint8_t kLdcW = 19;
constexpr std::uint8_t kIload = 21;
constexpr std::array<Replacement, 14> kReplacements{{{203, classfile::kGetField},
                                                     {211, classfile::kPutField},
                                                     {220, classfile::kAload0},
                                                     {224, kIload},
                                                     {227, classfile::kInvokeVirtual},
                                                     {228, classfile::kLookupSwitch},
                                                     {230, kLdc},
                                                     {231, kLdcW},
                                                     {232, classfile::kReturn},
                                                     {233, classfile::kInvokeVirtual},
                                                     {234, classfile::kGetField},
                                                     {235, classfile::kPutField},
                                                     {236, classfile::kAload0},
                                                     {237, kIload}}};

std::uint8_t in_class_file(std::uint8_t opcode) {
  std::uint8_t found = opcode;
  for (const Replacement& each : kReplacements) {
    found = opcode >= each.first ? each.replaced : found;
  }
  return found;
}

}  // namespace

bool is_of_code(const BreakpointRecord& record, std::span<const std::uint8_t> code) {
  return record.index >= 0 && std::cmp_less(record.index, code.size()) &&
         in_class_file(record.opcode) == code[static_cast<std::size_t>(record.index)];
}

BreakpointRecords::BreakpointRecords(const Env& env)
    : BreakpointRecords(exports_of(env), env.feature_version()) {}

BreakpointRecords::BreakpointRecords(const VmExports& exports, jint feature_version) {
  if (feature_version < kFirstWithPointers || feature_version > kLastWithPointers) {
    return;
  }
  Offsets found;
  const std::array<WantedField, 11> wanted{
      {{"Method", "_constMethod", &found.code},
       {"ConstMethod", "_constants", &found.pool},
       {"ConstMethod", "_name_index", &found.name},
       {"ConstMethod", "_signature_index", &found.signature},
       {"ConstantPool", "_pool_holder", &found.holder},
       {"InstanceKlass", "_breakpoints", &found.breakpoints},
       {"BreakpointInfo", "_orig_bytecode", &found.opcode},
       {"BreakpointInfo", "_bci", &found.index},
       {"BreakpointInfo", "_name_index", &found.record_name},
       {"BreakpointInfo", "_signature_index", &found.record_signature},
       {"BreakpointInfo", "_next", &found.next}}};
  if (find_fields(exports, wanted) == wanted.size()) {
    offsets_ = found;
  }
}

// Returns all records of the class of a method with this code.
std::optional<std::vector<BreakpointRecords::NamedRecord>> BreakpointRecords::all(
    VmMemory& memory, const Offsets& offsets, Address code) {
  constexpr std::size_t kMostRecords = 10'000;
  const auto at = [&](std::optional<Address> structure, std::uint64_t offset) {
    return structure ? memory.read<Address>(*structure + offset) : std::nullopt;
  };
  auto record = at(at(at(code, offsets.pool), offsets.holder), offsets.breakpoints);
  std::vector<NamedRecord> found;
  while (record && *record != nullptr) {
    NamedRecord each;
    std::int32_t opcode = 0;
    Address next = nullptr;
    if (found.size() == kMostRecords ||
        !memory.read(
            Field{.address = *record + offsets.index, .value = &each.record.index},
            Field{.address = *record + offsets.opcode, .value = &opcode},
            Field{.address = *record + offsets.record_name, .value = &each.names.name},
            Field{.address = *record + offsets.record_signature, .value = &each.names.signature},
            Field{.address = *record + offsets.next, .value = &next})) {
      return std::nullopt;
    }
    each.record.opcode = static_cast<std::uint8_t>(opcode);
    found.push_back(each);
    record = next;
  }
  return record ? std::optional(std::move(found)) : std::nullopt;
}

std::optional<std::vector<BreakpointRecords::Records>> BreakpointRecords::of(
    std::span<const jmethodID> methods) const {
  if (!offsets_) {
    return std::nullopt;
  }
  std::vector<Records> found(methods.size());
  if (methods.empty()) {
    return found;
  }
  VmMemory memory;
  std::vector<Address> ids;
  for (auto* const method : methods) {
    ids.push_back(reinterpret_cast<Address>(method));
  }
  const auto fields_of = [](const std::optional<std::vector<Address>>& structures,
                            std::uint64_t offset) {
    std::vector<Address> addresses = structures.value_or(std::vector<Address>{});
    for (Address& each : addresses) {
      each += offset;
    }
    return addresses;
  };
  const auto versions = memory.read_each<Address>(ids);
  const auto codes = memory.read_each<Address>(fields_of(versions, offsets_->code));
  if (!versions || !codes) {
    return std::nullopt;
  }
  const auto records = all(memory, *offsets_, codes->front());
  const auto names = memory.read_each<std::uint16_t>(fields_of(codes, offsets_->name));
  const auto signatures = memory.read_each<std::uint16_t>(fields_of(codes, offsets_->signature));
  if (!records || !names || !signatures) {
    return std::nullopt;
  }
  std::map<Names, std::size_t> numbers;
  for (std::size_t number = 0; number < methods.size(); ++number) {
    numbers[{.name = (*names)[number], .signature = (*signatures)[number]}] = number;
  }
  for (const NamedRecord& each : *records) {
    if (const auto at = numbers.find(each.names); at != numbers.end()) {
      found[at->second].push_back(each.record);
    }
  }
  return found;
}

}  // namespace jvmdebug::agent::jvm
