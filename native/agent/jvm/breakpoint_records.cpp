// SPDX-License-Identifier: Apache-2.0
#include "agent/jvm/breakpoint_records.h"

#include <array>
#include <cstddef>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>

#include "agent/jvm/vm_library.h"

#ifdef __linux__
#include <sys/uio.h>
#include <unistd.h>
#endif

namespace jvmdebug::agent::jvm {
namespace {

using Address = const std::byte*;

// A method id is the address of a pointer to the method, as long as the class is loaded.
constexpr jint kFirstWithPointers = 11;
constexpr jint kLastWithPointers = 25;

template <class T>
std::optional<T> read(Address address) {
  static_assert(std::is_trivially_copyable_v<T>);
#ifdef __linux__
  T value{};
  const iovec to{.iov_base = &value, .iov_len = sizeof value};
  const iovec from{.iov_base = const_cast<std::byte*>(address), .iov_len = sizeof value};
  if (process_vm_readv(getpid(), &to, 1, &from, 1, 0) == static_cast<ssize_t>(sizeof value)) {
    return value;
  }
#endif
  return std::nullopt;
}

// One of the numbers beside the table, all of 64 bits.
std::optional<std::uint64_t> number(const BreakpointRecords::Exports& exports, const char* name) {
  const auto* const found = static_cast<const std::uint64_t*>(exports(name));
  return found == nullptr ? std::nullopt : std::optional(*found);
}

struct Wanted {
  std::string_view type;
  std::string_view field;
  std::uint64_t* offset;
};

// How many of them the table has.
std::size_t find_all(const BreakpointRecords::Exports& exports, std::span<const Wanted> wanted) {
  constexpr std::size_t kMostEntries = 20'000;
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
    const auto* const type_name = *reinterpret_cast<const char* const*>(entry + *type);
    const auto* const field_name = *reinterpret_cast<const char* const*>(entry + *field);
    if (type_name == nullptr || field_name == nullptr) {
      break;
    }
    for (const Wanted& each : wanted) {
      if (each.type == type_name && each.field == field_name) {
        *each.offset = *reinterpret_cast<const std::uint64_t*>(entry + *offset);
        ++found;
      }
    }
  }
  return found;
}

}  // namespace

BreakpointRecords::BreakpointRecords(const Env& env)
    : BreakpointRecords([&env](const char* name) { return vm_function(env, name); },
                        env.feature_version()) {}

BreakpointRecords::BreakpointRecords(const Exports& exports, jint feature_version) {
  if (feature_version < kFirstWithPointers || feature_version > kLastWithPointers) {
    return;
  }
  Offsets found;
  const std::array<Wanted, 11> wanted{
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
  if (find_all(exports, wanted) == wanted.size()) {
    offsets_ = found;
  }
}

std::optional<std::vector<BreakpointRecord>> BreakpointRecords::of(jmethodID method) const {
  constexpr std::size_t kMostRecords = 10'000;
  if (!offsets_) {
    return std::nullopt;
  }
  const auto at = [](std::optional<Address> structure, std::uint64_t offset) {
    return structure ? read<Address>(*structure + offset) : std::nullopt;
  };
  const auto code = at(read<Address>(reinterpret_cast<Address>(method)), offsets_->code);
  if (!code) {
    return std::nullopt;
  }
  const auto name = read<std::uint16_t>(*code + offsets_->name);
  const auto signature = read<std::uint16_t>(*code + offsets_->signature);
  auto record = at(at(at(code, offsets_->pool), offsets_->holder), offsets_->breakpoints);
  std::vector<BreakpointRecord> found;
  for (std::size_t count = 0; record && *record != nullptr; ++count) {
    const auto opcode = read<std::int32_t>(*record + offsets_->opcode);
    const auto index = read<std::int32_t>(*record + offsets_->index);
    const auto of_name = read<std::uint16_t>(*record + offsets_->record_name);
    const auto of_signature = read<std::uint16_t>(*record + offsets_->record_signature);
    if (!opcode || !index || !of_name || !of_signature || count == kMostRecords) {
      return std::nullopt;
    }
    if (of_name == name && of_signature == signature) {
      found.push_back({.index = *index, .opcode = static_cast<std::uint8_t>(*opcode)});
    }
    record = read<Address>(*record + offsets_->next);
  }
  return record && name && signature ? std::optional(std::move(found)) : std::nullopt;
}

}  // namespace jvmdebug::agent::jvm
