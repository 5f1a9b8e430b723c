// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <doctest/doctest.h>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "agent/jvm/breakpoint_records.h"

namespace jvmdebug::tests {
namespace {

using agent::jvm::BreakpointRecords;
using Records = std::vector<agent::jvm::BreakpointRecord>;

// Structures as in a VM, but with other offsets than in any JDK.
struct Record {
  Record* next = nullptr;
  std::int32_t index = 0;
  std::int32_t opcode = 0;
  std::uint16_t signature = 0;
  std::uint16_t name = 0;
};

struct Class {
  std::uint64_t unused = 7;
  Record* breakpoints = nullptr;
};

struct Pool {
  std::uint64_t unused = 7;
  Class* holder = nullptr;
};

struct Code {
  std::uint16_t name = 0;
  std::uint16_t signature = 0;
  Pool* pool = nullptr;
};

struct Method {
  std::uint64_t unused = 7;
  Code* code = nullptr;
};

struct Entry {
  const char* type = nullptr;
  const char* field = nullptr;
  std::uint64_t offset = 0;
};

// A VM with a method that has breakpoints, newest first.
struct Vm {
  std::vector<Entry> table{{"Method", "_constMethod", offsetof(Method, code)},
                           {"Method", "_constants", 1000},
                           {"ConstMethod", "_constants", offsetof(Code, pool)},
                           {"ConstMethod", "_name_index", offsetof(Code, name)},
                           {"ConstMethod", "_signature_index", offsetof(Code, signature)},
                           {"ConstantPool", "_pool_holder", offsetof(Pool, holder)},
                           {"InstanceKlass", "_breakpoints", offsetof(Class, breakpoints)},
                           {"BreakpointInfo", "_orig_bytecode", offsetof(Record, opcode)},
                           {"BreakpointInfo", "_bci", offsetof(Record, index)},
                           {"BreakpointInfo", "_name_index", offsetof(Record, name)},
                           {"BreakpointInfo", "_signature_index", offsetof(Record, signature)},
                           {"BreakpointInfo", "_next", offsetof(Record, next)},
                           {}};
  Entry* begin = table.data();
  std::map<std::string, std::uint64_t> numbers{
      {"gHotSpotVMStructEntryArrayStride", sizeof(Entry)},
      {"gHotSpotVMStructEntryTypeNameOffset", offsetof(Entry, type)},
      {"gHotSpotVMStructEntryFieldNameOffset", offsetof(Entry, field)},
      {"gHotSpotVMStructEntryOffsetOffset", offsetof(Entry, offset)}};
  std::array<Record, 3> records;
  Class type;
  Pool pool{.holder = &type};
  Code code{.name = 3, .signature = 4, .pool = &pool};
  Method method{.code = &code};
  Method* id = &method;

  Vm() {
    records[0] = {.next = &records[1], .index = 5, .opcode = 42, .signature = 4, .name = 3};
    records[1] = {.next = &records[2], .index = 6, .opcode = 43, .signature = 4, .name = 9};
    records[2] = {.next = nullptr, .index = 7, .opcode = 216, .signature = 4, .name = 3};
    type.breakpoints = records.data();
  }

  [[nodiscard]] auto all_of(const std::vector<Method**>& ids, jint version = 25) {
    const BreakpointRecords found(
        [this](const char* name) -> void* {
          if (std::strcmp(name, "gHotSpotVMStructs") == 0) {
            return &begin;
          }
          const auto number = numbers.find(name);
          return number == numbers.end() ? nullptr : &number->second;
        },
        version);
    std::vector<jmethodID> methods;
    methods.reserve(ids.size());
    for (Method** const each : ids) {
      methods.push_back(reinterpret_cast<jmethodID>(each));
    }
    return found.of(methods);
  }

  [[nodiscard]] std::optional<Records> read(jint version = 25) {
    const auto found = all_of({&id}, version);
    return found ? std::optional(found->front()) : std::nullopt;
  }
};

}  // namespace

TEST_SUITE_BEGIN("breakpoint records");

TEST_CASE("those of the method, the newest first") {
  Vm vm;
  const auto found = vm.read().value_or(Records{});
  REQUIRE(found.size() == 2);
  CHECK(found[0].index == 5);
  CHECK(found[0].opcode == 42);
  CHECK(found[1].index == 7);
  CHECK(found[1].opcode == 216);
  vm.type.breakpoints = nullptr;
  REQUIRE(vm.read());
  CHECK(vm.read().value_or(found).empty());
}

TEST_CASE("those of several methods of a class") {
  Vm vm;
  Code other_code{.name = 9, .signature = 4, .pool = &vm.pool};
  Method other{.code = &other_code};
  Method* other_id = &other;
  const auto all = vm.all_of({&other_id, &vm.id});
  REQUIRE(all);
  const auto read = all.value_or(std::vector<Records>{});
  REQUIRE(read.size() == 2);
  REQUIRE(read.front().size() == 1);
  CHECK(read.front().front().index == 6);
  CHECK(read.back() == vm.read());
  CHECK(vm.all_of({}).has_value());
}

TEST_CASE("reading writes nothing") {
  Vm vm;
  const auto before = std::bit_cast<std::array<std::byte, sizeof vm.records>>(vm.records);
  REQUIRE(vm.read());
  CHECK(std::bit_cast<std::array<std::byte, sizeof vm.records>>(vm.records) == before);
}

TEST_CASE("of a VM that is not to be read there are none") {
  Vm vm;
  const auto id = reinterpret_cast<jmethodID>(&vm.id);
  CHECK_FALSE(BreakpointRecords().of(std::array{id}));
}

TEST_CASE("which code a record may be of") {
  // aload_0, iload 5, getfield #1, return
  const std::vector<std::uint8_t> code{42, 21, 5, 180, 0, 1, 177};
  const auto is_of = [&](std::int32_t index, std::uint8_t opcode) {
    return agent::jvm::is_of_code({.index = index, .opcode = opcode}, code);
  };
  CHECK(is_of(0, 42));
  CHECK(is_of(0, 221));  // fast_iaccess_0
  CHECK(is_of(1, 225));  // fast_iload2
  CHECK(is_of(3, 180));
  CHECK(is_of(3, 203));  // fast_agetfield
  CHECK(is_of(3, 210));  // fast_sgetfield
  CHECK(is_of(6, 232));  // return_register_finalizer
  CHECK_FALSE(is_of(1, 220));
  CHECK_FALSE(is_of(3, 211));
  CHECK_FALSE(is_of(6, 178));
  CHECK_FALSE(is_of(7, 177));
  CHECK_FALSE(is_of(-1, 42));
}

TEST_CASE("releases whose method ids are not known are not read") {
  Vm vm;
  CHECK(vm.read(11));
  CHECK_FALSE(vm.read(10));
  CHECK_FALSE(vm.read(26));
}

TEST_CASE("a table without one of the fields, or none at all") {
  for (std::size_t left_out = 0; left_out + 1 < Vm().table.size(); ++left_out) {
    Vm vm;
    vm.table[left_out].field = "_other";
    const bool is_needed = left_out != 1;
    CHECK(vm.read().has_value() == !is_needed);
  }
  Vm vm;
  vm.numbers.erase("gHotSpotVMStructEntryOffsetOffset");
  CHECK_FALSE(vm.read());
}

TEST_CASE("an address that is none is an error, and a list without an end has one") {
  auto* const nowhere = std::bit_cast<void*>(std::uintptr_t{16});
  {
    Vm vm;
    vm.records[1].next = static_cast<Record*>(nowhere);
    CHECK_FALSE(vm.read());
  }
  {
    Vm vm;
    vm.id = static_cast<Method*>(nowhere);
    CHECK_FALSE(vm.read());
  }
  {
    Vm vm;
    vm.pool.holder = static_cast<Class*>(nowhere);
    CHECK_FALSE(vm.read());
  }
  Vm vm;
  vm.records[2].next = vm.records.data();
  CHECK_FALSE(vm.read());
}

TEST_SUITE_END();

}  // namespace jvmdebug::tests
