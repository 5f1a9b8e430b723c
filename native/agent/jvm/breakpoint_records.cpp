// SPDX-License-Identifier: Apache-2.0
#include "agent/jvm/breakpoint_records.h"

#include <array>
#include <atomic>
#include <cstddef>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>

#include "agent/jvm/opcodes.h"
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
struct Field {
  Address address;
  T* value;
};

// All of them by one call.
template <class... T>
bool read([[maybe_unused]] Field<T>... fields) {
  static_assert((std::is_trivially_copyable_v<T> && ...));
#ifdef __linux__
  const std::array<iovec, sizeof...(T)> to{
      iovec{.iov_base = fields.value, .iov_len = sizeof(T)}...};
  const std::array<iovec, sizeof...(T)> from{
      iovec{.iov_base = const_cast<std::byte*>(fields.address), .iov_len = sizeof(T)}...};
  return process_vm_readv(getpid(), to.data(), to.size(), from.data(), from.size(), 0) ==
         static_cast<ssize_t>((sizeof(T) + ...));
#else
  return false;
#endif
}

template <class T>
std::optional<T> read(Address address) {
  T value{};
  return read(Field{.address = address, .value = &value}) ? std::optional(value) : std::nullopt;
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

// The opcodes that the VM puts in for others, by the first of each group (JDK 11 to 25).
struct Replacement {
  std::uint8_t first;
  std::uint8_t replaced;
};

constexpr std::uint8_t kLdc = 18;
constexpr std::uint8_t kLdcW = 19;
constexpr std::uint8_t kIload = 21;
constexpr std::array<Replacement, 14> kReplacements{{{203, kGetField},
                                                     {211, kPutField},
                                                     {220, kAload0},
                                                     {224, kIload},
                                                     {227, kInvokeVirtual},
                                                     {228, kLookupSwitch},
                                                     {230, kLdc},
                                                     {231, kLdcW},
                                                     {232, kReturn},
                                                     {233, kInvokeVirtual},
                                                     {234, kGetField},
                                                     {235, kPutField},
                                                     {236, kAload0},
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
    BreakpointRecord each;
    std::int32_t opcode = 0;
    std::uint16_t of_signature = 0;
    Address next = nullptr;
    if (count == kMostRecords ||
        !read(Field{.address = *record + offsets_->index, .value = &each.index},
              Field{.address = *record + offsets_->opcode, .value = &opcode},
              Field{.address = *record + offsets_->record_name, .value = &each.name},
              Field{.address = *record + offsets_->record_signature, .value = &of_signature},
              Field{.address = *record + offsets_->next, .value = &next})) {
      return std::nullopt;
    }
    if (each.name == name && of_signature == signature) {
      each.opcode = static_cast<std::uint8_t>(opcode);
      each.name_at =
          reinterpret_cast<std::uint16_t*>(const_cast<std::byte*>(*record + offsets_->record_name));
      found.push_back(each);
    }
    record = next;
  }
  return record && name && signature ? std::optional(std::move(found)) : std::nullopt;
}

void BreakpointRecords::take_out(const BreakpointRecord& left) {
  std::uint16_t name = left.name;
  (void)std::atomic_ref(*left.name_at).compare_exchange_strong(name, 0);
}

}  // namespace jvmdebug::agent::jvm
