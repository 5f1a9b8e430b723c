// SPDX-License-Identifier: Apache-2.0
// The attributes of a class file that a VM loses: method parameters, read from its memory, and the
// attribute counts of record components.
#include <array>
#include <cstddef>
#include <cstdint>
#include <doctest/doctest.h>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "agent/jvm/vm_parameters.h"
#include "classfile/class_file.h"
#include "classfile/record_counts.h"
#include "codec/writer.h"

namespace jvmdebug::tests {
namespace {

using agent::jvm::VmParameter;
using agent::jvm::VmParameters;
using Bytes = std::vector<std::uint8_t>;
using Parameters = std::vector<VmParameter>;

// The constant part of a method as in a VM, with places for four kinds of annotations.
struct Code {
  std::int32_t words = 0;
  std::uint16_t flags = 0;
  std::array<std::uint16_t, 64> rest{};
};

struct Method {
  std::uint64_t unused = 7;
  Code* code = nullptr;
};

struct FieldEntry {
  const char* type = nullptr;
  const char* field = nullptr;
  std::uint64_t offset = 0;
};

struct ConstantEntry {
  const char* name = nullptr;
  std::int32_t value = 0;
};

struct Vm {
  std::vector<FieldEntry> fields{{"Method", "_constMethod", offsetof(Method, code)},
                                 {"ConstMethod", "_constMethod_size", offsetof(Code, words)},
                                 {"ConstMethod", "_flags", offsetof(Code, flags)},
                                 {}};
  std::vector<ConstantEntry> constants{{"ConstMethod::_has_generic_signature", 1},
                                       {"ConstMethod::_has_method_parameters", 2},
                                       {"ConstMethod::_has_method_annotations", 4},
                                       {"ConstMethod::_has_parameter_annotations", 8},
                                       {"ConstMethod::_has_type_annotations", 16},
                                       {"ConstMethod::_has_default_annotations", 32},
                                       {}};
  FieldEntry* first_field = fields.data();
  ConstantEntry* first_constant = constants.data();
  std::map<std::string, std::uint64_t> numbers{
      {"gHotSpotVMStructEntryArrayStride", sizeof(FieldEntry)},
      {"gHotSpotVMStructEntryTypeNameOffset", offsetof(FieldEntry, type)},
      {"gHotSpotVMStructEntryFieldNameOffset", offsetof(FieldEntry, field)},
      {"gHotSpotVMStructEntryOffsetOffset", offsetof(FieldEntry, offset)},
      {"gHotSpotVMIntConstantEntryArrayStride", sizeof(ConstantEntry)},
      {"gHotSpotVMIntConstantEntryNameOffset", offsetof(ConstantEntry, name)},
      {"gHotSpotVMIntConstantEntryValueOffset", offsetof(ConstantEntry, value)}};
  Code code;
  Method method{.code = &code};
  Method* id = &method;

  // Sets the end of the method, in front of a word for each kind of annotations.
  void set(std::uint16_t flags, std::vector<std::uint16_t> end, int annotations) {
    constexpr std::size_t kWord = sizeof(void*) / sizeof(std::uint16_t);
    code = {.words = sizeof(Code) / sizeof(void*), .flags = flags};
    const std::size_t halves = sizeof(Code) / sizeof(void*) * kWord -
                               offsetof(Code, rest) / sizeof(std::uint16_t) -
                               static_cast<std::size_t>(annotations) * kWord;
    for (std::size_t at = 0; at < end.size(); ++at) {
      code.rest[halves - end.size() + at] = end[at];
    }
  }

  [[nodiscard]] jmethodID method_id() { return reinterpret_cast<jmethodID>(&id); }

  [[nodiscard]] auto read(const std::vector<jmethodID>& methods, jint version = 17) {
    const VmParameters parameters(
        [this](const char* name) -> void* {
          if (name == std::string_view("gHotSpotVMStructs")) {
            return &first_field;
          }
          if (name == std::string_view("gHotSpotVMIntConstants")) {
            return &first_constant;
          }
          const auto number = numbers.find(name);
          return number == numbers.end() ? nullptr : &number->second;
        },
        version);
    return parameters.of(methods);
  }

  [[nodiscard]] std::optional<Parameters> read(jint version = 17) {
    const auto found = read({method_id()}, version);
    REQUIRE((!found || found->size() == 1));
    return found ? found->front() : std::nullopt;
  }
};

// Makes a class file that has only the constants and this class attribute, whose name is the first
// constant.
Bytes class_file(const std::vector<std::string>& texts, const Bytes& attribute) {
  codec::Writer writer;
  writer.write_unsigned(0xCAFEBABE, 4);
  writer.write_unsigned(61, 4);
  writer.write_unsigned_short(static_cast<std::uint16_t>(texts.size() + 1));
  for (const std::string& text : texts) {
    writer.write_unsigned(1, 1);
    writer.write_unsigned_short(static_cast<std::uint16_t>(text.size()));
    writer.write_span(Bytes(text.begin(), text.end()));
  }
  for (const std::uint16_t part : std::array<std::uint16_t, 8>{0, 0, 0, 0, 0, 0, 1, 1}) {
    writer.write_unsigned_short(part);
  }
  writer.write_bytes(attribute);
  return writer.take();
}

std::vector<std::string> known_texts() {
  return {"Record", "Signature", "RuntimeVisibleAnnotations", "RuntimeVisibleTypeAnnotations", "I"};
}

}  // namespace

TEST_SUITE_BEGIN("kept attributes");

TEST_CASE("the parameters of a method are in front of what else it has") {
  Vm vm;
  vm.set(2, {5, 0x10, 6, 0, 2}, 0);
  CHECK(vm.read() == Parameters{{.name = 5, .access = 0x10}, {.name = 6}});
  vm.set(2 + 1, {5, 0x10, 1, 99}, 0);
  CHECK(vm.read() == Parameters{{.name = 5, .access = 0x10}});
  vm.set(2 + 1 + 4 + 8 + 16 + 32, {0, 0x8000, 1, 99}, 4);
  CHECK(vm.read() == Parameters{{.name = 0, .access = 0x8000}});
  vm.set(2 + 16, {0}, 1);
  CHECK(vm.read() == Parameters{});
}

TEST_CASE("of many methods, some of which have none") {
  Vm with;
  Vm without;
  with.set(2, {5, 0x10, 6, 0, 2}, 0);
  std::vector<jmethodID> methods(1500, without.method_id());
  methods[3] = methods[1400] = with.method_id();
  const auto read = with.read(methods);
  REQUIRE(read);
  const auto found = read.value_or(std::vector<std::optional<Parameters>>{});
  REQUIRE(found.size() == methods.size());
  CHECK_FALSE(found[2]);
  CHECK(found[3] == Parameters{{.name = 5, .access = 0x10}, {.name = 6}});
  CHECK(found[1400] == found[3]);
  CHECK_FALSE(found[1499]);
  methods[1499] = reinterpret_cast<jmethodID>(8);  // nothing is there
  CHECK_FALSE(with.read(methods));
}

TEST_CASE("a method without the attribute, or in a VM that is not read") {
  Vm vm;
  vm.set(1, {5, 0x10, 1, 99}, 0);
  CHECK_FALSE(vm.read());
  vm.set(2, {5, 0x10, 1}, 0);
  CHECK(vm.read(11));
  CHECK(vm.read(19));
  CHECK_FALSE(vm.read(20));
  CHECK_FALSE(vm.read(10));
  vm.set(2, {300}, 0);  // more than a class file can have
  CHECK_FALSE(vm.read());
  vm.set(2, {5, 0x10, 1}, 0);
  vm.method.code = reinterpret_cast<Code*>(8);
  CHECK_FALSE(vm.read());
  vm.method.code = &vm.code;
  vm.constants.front().name = "other";
  CHECK_FALSE(vm.read());
}

TEST_CASE("a component of a record counts what is there") {
  // One component, which counts 3 and has a signature; then another one, which has nothing.
  Bytes record{0, 2, 0, 5, 0, 5, 0, 3, 0, 2, 0, 0, 0, 2, 0, 5, 0, 5, 0, 5, 0, 1};
  const auto wrong = class_file(known_texts(), record);
  record[7] = 1;
  record[21] = 0;
  const auto right = class_file(known_texts(), record);
  CHECK(classfile::with_record_counts(wrong) == right);
  CHECK_FALSE(classfile::with_record_counts(right));
}

TEST_CASE("a component may have the name of an attribute") {
  // Both are called Signature; the first one counts 1 and has nothing.
  Bytes record{0, 2, 0, 2, 0, 5, 0, 1, 0, 2, 0, 5, 0, 0};
  const auto wrong = class_file(known_texts(), record);
  record[7] = 0;
  CHECK(classfile::with_record_counts(wrong) == class_file(known_texts(), record));
}

TEST_CASE("what is no record of the VM stays as it is") {
  CHECK_FALSE(classfile::with_record_counts(Bytes{1, 2, 3}));
  CHECK_FALSE(classfile::with_record_counts(class_file({"Other", "Record"}, {0, 1, 0})));
  // An attribute that the VM does not write, and one that ends too early.
  CHECK_FALSE(classfile::with_record_counts(
      class_file(known_texts(), {0, 1, 0, 5, 0, 5, 0, 1, 0, 5, 0, 0, 0, 2, 0, 5})));
  CHECK_FALSE(classfile::with_record_counts(
      class_file(known_texts(), {0, 1, 0, 5, 0, 5, 0, 1, 0, 3, 0, 0, 0, 9, 0, 5})));
  CHECK_FALSE(classfile::with_record_counts(class_file(known_texts(), {0, 7, 0, 5, 0, 5})));
}

TEST_SUITE_END();

}  // namespace jvmdebug::tests
