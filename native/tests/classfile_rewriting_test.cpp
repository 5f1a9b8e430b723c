// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cstddef>
#include <cstdint>
#include <doctest/doctest.h>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "classfile/class_file.h"
#include "classfile/code.h"
#include "classfile/code_attributes.h"
#include "classfile/code_map.h"
#include "classfile/constant_pool.h"
#include "classfile/instructions.h"
#include "classfile/stack_map.h"
#include "codec/reader.h"
#include "codec/writer.h"

namespace jvmdebug::tests {

namespace {

using namespace classfile;  // NOLINT(google-build-using-namespace): what is tested

using Bytes = std::vector<std::uint8_t>;

// Makes an invokestatic, 3 bytes and one of padding.
classfile::Insertion probe_at(std::size_t index) {
  return {.index = index, .code = {184, 0, 9}};
}

// Moves the instructions of a method that has nothing else.
classfile::Rewritten<Bytes> moved(const Bytes& code,
                                  const std::vector<classfile::Insertion>& insertions) {
  const auto changed = classfile::insert_code({}, {.bytes = code}, insertions);
  if (!changed) {
    return std::unexpected(changed.error());
  }
  const auto again = classfile::read_code(*changed);
  REQUIRE(again);
  return Bytes(again->bytes.begin(), again->bytes.end());
}

Bytes moved_attribute(const std::string& name, const Bytes& content, std::size_t code_size,
                      const std::vector<classfile::Insertion>& insertions) {
  const auto changed =
      classfile::move_attribute(name, content, classfile::Relocation(code_size, insertions));
  REQUIRE(changed);
  return *changed;
}

}  // namespace

TEST_SUITE_BEGIN("rewriting");

TEST_CASE("a branch to an instruction goes to the code inserted in front of it") {
  // 0: iload_0; 1: ifeq 5; 4: nop; 5: return
  const Bytes code{26, 153, 0, 4, 0, 177};
  CHECK(moved(code, {probe_at(5)}) == Bytes{26, 153, 0, 4, 0, 184, 0, 9, 0, 177});
  CHECK(moved(code, {probe_at(4)}) == Bytes{26, 153, 0, 8, 184, 0, 9, 0, 0, 177});
  CHECK(moved(code, {probe_at(1)}) == Bytes{26, 184, 0, 9, 0, 153, 0, 4, 0, 177});
}

TEST_CASE("code with probes says where they are, and what it was without") {
  // 0: iload_0; 1: tableswitch 0..1, padding to 4; cases 24, 25; default 24; 24: nop; 25: goto 0;
  // 28: return
  const Bytes code{26, 170, 0, 0, 0,  0, 0, 23, 0,  0, 0,   0,    0,    0,  0,
                   1,  0,   0, 0, 23, 0, 0, 0,  24, 0, 167, 0xff, 0xe7, 177};
  const auto begins = instructions(code);
  REQUIRE(begins.size() == 5);
  std::vector<classfile::Insertion> insertions;
  for (const std::size_t index : begins) {
    const auto probe =
        classfile::marked_probe(static_cast<std::uint16_t>(index + 300), Bytes{21, 3, 184, 0, 9});
    REQUIRE(probe);
    insertions.push_back({.index = index, .code = *probe, .stack = 1});
  }
  insertions.push_back(insertions.back());
  const auto changed = moved(code, insertions);
  REQUIRE(changed);
  const auto map = classfile::CodeMap::read(*changed);
  REQUIRE(map);
  if (!map) {
    return;  // clang-tidy does not know what REQUIRE does
  }
  CHECK(map->strip(*changed) == code);
  for (const std::size_t index : begins) {
    const auto original = static_cast<std::int64_t>(index);
    const auto actual = map->instruction(original);
    CHECK(map->original(actual) == original);
    CHECK_FALSE(map->is_in_probe(actual));
    CHECK(map->is_in_probe(actual - 1));
    CHECK(map->original(actual - 1) == original);
    CHECK(map->probes_at(original).front() == index + 300);
    CHECK((*changed)[static_cast<std::size_t>(actual)] == code[index]);
  }
  CHECK(map->probes_at(28).size() == 2);
  CHECK(map->original(static_cast<std::int64_t>(changed->size()) - 1) == 28);
  CHECK_FALSE(classfile::CodeMap::read(code));
  CHECK_FALSE(classfile::CodeMap::read(Bytes{17, 0x4A, 3, 87, 17, 0, 1, 87, 177}));
  CHECK_FALSE(classfile::marked_probe(1, Bytes(1020, 0)));
}

TEST_CASE("a branch back jumps over what was inserted between") {
  // 0: nop; 1: goto 0
  CHECK(moved({0, 167, 0xff, 0xff}, {probe_at(1)}) == Bytes{0, 184, 0, 9, 0, 167, 0xff, 0xfb});
  CHECK(moved({0, 167, 0xff, 0xff}, {probe_at(0)}) == Bytes{184, 0, 9, 0, 0, 167, 0xff, 0xfb});
}

TEST_CASE("switches keep their padding and reach their cases") {
  // 0: iload_0; 1: tableswitch 0..1, padding to 4; cases 24, 25; default 24; 24: nop; 25: return
  const Bytes code{26, 170, 0, 0, 0, 0, 0,  23, 0, 0, 0,  0, 0,
                   0,  0,   1, 0, 0, 0, 23, 0,  0, 0, 24, 0, 177};
  auto expected = code;
  expected.insert(expected.begin() + 25, {184, 0, 9, 0});
  CHECK(moved(code, {probe_at(25)}) == expected);
  expected = code;
  expected.insert(expected.begin() + 24, {184, 0, 9, 0});
  expected[23] = 28;
  CHECK(moved(code, {probe_at(24)}) == expected);
  expected = code;
  expected.insert(expected.begin(), {184, 0, 9, 0});
  CHECK(moved(code, {probe_at(0)}) == expected);
}

TEST_CASE("several insertions at one place run in their order") {
  const classfile::Insertion second{.index = 0, .code = {1, 87}, .stack = 1};
  CHECK(moved({177}, {probe_at(0), second}) == Bytes{184, 0, 9, 0, 1, 87, 0, 0, 177});
}

TEST_CASE("an insertion says what it needs") {
  const Bytes code{177};
  const std::array insertions{
      classfile::Insertion{.index = 0, .code = {42, 87}, .stack = 3, .locals = 7}};
  const auto changed =
      classfile::insert_code({}, {.max_stack = 2, .max_locals = 4, .bytes = code}, insertions);
  REQUIRE(changed);
  CHECK(classfile::read_code(*changed)->max_stack == 5);
  CHECK(classfile::read_code(*changed)->max_locals == 7);
}

TEST_CASE("handlers cover what is inserted inside them and lead to what is inserted at theirs") {
  const Bytes code{0, 0, 177, 87, 177};
  const Code method{.max_stack = 1,
                    .bytes = code,
                    .handlers = {{.start = 0, .end = 2, .handler = 3, .catch_type = 5}}};
  const std::array insertions{probe_at(0), probe_at(1), probe_at(2), probe_at(3)};
  const auto changed = classfile::insert_code({}, method, insertions);
  REQUIRE(changed);
  const classfile::ExceptionHandler handler = classfile::read_code(*changed)->handlers.at(0);
  CHECK(handler.start == 0);
  CHECK(handler.end == 10);
  CHECK(handler.handler == 15);
  CHECK(handler.catch_type == 5);
}

TEST_CASE("what does not fit is refused") {
  Bytes longest(65532, 0);
  longest.back() = 177;
  CHECK(moved(longest, {probe_at(0)}) == std::unexpected(classfile::RewriteError::kCodeTooLong));
  // 0: goto 32767
  Bytes far(32768, 0);
  far[0] = 167;
  far[1] = 0x7f;
  far[2] = 0xff;
  far.back() = 177;
  CHECK(moved(far, {probe_at(32766)}) == std::unexpected(classfile::RewriteError::kBranchTooFar));
  CHECK(moved(far, {probe_at(0)}));
  CHECK(moved(far, {probe_at(1)}) == std::unexpected(classfile::RewriteError::kNoInstruction));
  CHECK(moved(far, {probe_at(32768)}) == std::unexpected(classfile::RewriteError::kNoInstruction));
  CHECK(moved({167, 0, 9}, {probe_at(0)}) == std::unexpected(classfile::RewriteError::kMalformed));
  CHECK(moved({203}, {probe_at(0)}) == std::unexpected(classfile::RewriteError::kMalformed));
  const std::array deep{classfile::Insertion{.index = 0, .code = {1, 87}, .stack = 65535}};
  const Bytes code{177};
  CHECK(classfile::insert_code({}, {.max_stack = 1, .bytes = code}, deep) ==
        std::unexpected(classfile::RewriteError::kStackTooDeep));
}

TEST_CASE("stack map frames move, and grow when their offset does not fit any more") {
  // same +1, one item (int) +0, chop +2, full +0 with an uninitialised object made at 1
  const Bytes frames{0, 4, 1, 64, 1, 250, 0, 2, 255, 0, 0, 0, 1, 8, 0, 1, 0, 0};
  const Bytes expected{0, 4, 5, 64, 1, 250, 0, 2, 255, 0, 0, 0, 1, 8, 0, 5, 0, 0};
  CHECK(moved_attribute("StackMapTable", frames, 8, {probe_at(0)}) == expected);
  // The index of a `new` is that of the instruction, and not the target of a branch to it.
  const Bytes at_new{0, 4, 1, 68, 1, 250, 0, 2, 255, 0, 0, 0, 1, 8, 0, 5, 0, 0};
  CHECK(moved_attribute("StackMapTable", frames, 8, {probe_at(1)}) == at_new);
  std::vector<classfile::Insertion> many(16, probe_at(0));
  const Bytes grown{0, 4, 251, 0, 65, 64, 1, 250, 0, 2, 255, 0, 0, 0, 1, 8, 0, 65, 0, 0};
  CHECK(moved_attribute("StackMapTable", frames, 8, many) == grown);
  for (std::size_t length = 0; length < frames.size(); ++length) {
    const auto cut = std::span(frames).first(length);
    CHECK_FALSE(classfile::move_stack_map(cut, classfile::Relocation(8, many)));
  }
}

TEST_CASE("inserted code jumps, and the verifier knows what it finds there") {
  // 0: iload_0; 1: istore_1; 2: iload_1; 3: ireturn
  const Bytes code{26, 60, 27, 172};
  const auto jump = std::make_shared<InsertedJump>(InsertedJump{
      .at = 3,
      .target = 2,
      .stack_map = 9,
      .at_start = {.count = 1, .types = {1}},
      .at_target = {.count = 2, .types = {1, 1}},
  });
  // 0: ifeq 8; 3: goto_w 2 of the code
  const std::vector<classfile::Insertion> insertions{
      {.index = 0, .code = {153, 0, 8, 200, 0, 0, 0, 0}, .jump = jump}, probe_at(2)};
  const auto changed = classfile::insert_code({}, {.bytes = code}, insertions);
  REQUIRE(changed);
  const auto again = classfile::read_code(*changed);
  REQUIRE(again);
  // The jump leads behind what is inserted at its target.
  CHECK(Bytes(again->bytes.begin(), again->bytes.end()) ==
        Bytes{153, 0, 8, 200, 0, 0, 0, 11, 26, 60, 184, 0, 9, 0, 27, 172});
  REQUIRE(again->attributes.size() == 1);
  const auto& content = again->attributes.front().content;
  CHECK(again->attributes.front().name == 9);
  // Two whole frames: at 8, and at 14, which is 5 behind the next index.
  CHECK(Bytes(content.begin(), content.end()) ==
        Bytes{0, 2, 255, 0, 8, 0, 1, 1, 0, 0, 255, 0, 5, 0, 2, 1, 1, 0, 0});
}

TEST_CASE("an added frame leaves those around it what they were") {
  const KnownLocals first{.count = 1, .types = {1}};
  // At 4 a local variable more, at 9 the same with an operand, at 20 one fewer.
  const Bytes content{0, 3, 252, 0, 4, 2, 68, 1, 250, 0, 10};
  const auto added = classfile::add_frames(
      content, first, {{6, {.count = 2, .types = {1, 3}}}, {9, {.count = 0, .types = {}}}});
  REQUIRE(added);
  CHECK(*added == Bytes{0, 4,   255, 0, 4, 0, 2, 1, 2, 0, 0, 255, 0, 1,  0, 2, 1, 3, 0,
                        0, 255, 0,   2, 0, 2, 1, 2, 0, 1, 1, 255, 0, 10, 0, 1, 1, 0, 0});
  CHECK_FALSE(classfile::add_frames(Bytes{0, 1}, first, {}));
  CHECK_FALSE(classfile::add_frames(Bytes{0, 1, 200}, first, {}));
  CHECK_FALSE(classfile::add_frames(Bytes{0, 0, 7}, first, {}));
}

TEST_CASE("the tables of the debugger move") {
  const std::vector insertions{probe_at(2), probe_at(4)};
  CHECK(moved_attribute("LineNumberTable", {0, 3, 0, 0, 0, 7, 0, 2, 0, 8, 0, 3, 0, 9}, 6,
                        insertions) == Bytes{0, 3, 0, 0, 0, 7, 0, 2, 0, 8, 0, 7, 0, 9});
  CHECK(moved_attribute("LocalVariableTable", {0, 1, 0, 2, 0, 4, 0, 1, 0, 2, 0, 3}, 6,
                        insertions) == Bytes{0, 1, 0, 2, 0, 12, 0, 1, 0, 2, 0, 3});
  // More entries than there are bytes, and one behind the end of the code.
  CHECK(moved_attribute("LineNumberTable", {0, 3, 0, 0}, 6, insertions) == Bytes{0, 3, 0, 0});
  CHECK(moved_attribute("LineNumberTable", {0, 1, 0, 9, 0, 7}, 6, insertions) ==
        Bytes{0, 1, 0, 14, 0, 7});
  CHECK(moved_attribute("Unknown", {1, 2, 3}, 6, insertions) == Bytes{1, 2, 3});
}

TEST_CASE("annotations of types in code move") {
  // An instanceof at 3 with one pair, whose value is an array of a text and an annotation.
  const Bytes instance_of{0,   1, 0x43, 0,   3, 0, 0, 5, 0, 1, 0,   6, '[', 0, 2,
                          's', 0, 7,    '@', 0, 8, 0, 1, 0, 9, 'e', 0, 1,   0, 2};
  auto expected = instance_of;
  expected[4] = 7;
  CHECK(moved_attribute("RuntimeVisibleTypeAnnotations", instance_of, 6, {probe_at(3)}) ==
        expected);
  // A variable that begins at 2 and lasts 2 bytes.
  const Bytes variable{0, 1, 0x40, 0, 1, 0, 2, 0, 2, 0, 1, 0, 0, 5, 0, 0};
  expected = variable;
  expected[8] = 6;
  CHECK(moved_attribute("RuntimeInvisibleTypeAnnotations", variable, 6, {probe_at(3)}) == expected);
  const Bytes cut(variable.begin(), variable.end() - 1);
  CHECK(moved_attribute("RuntimeInvisibleTypeAnnotations", cut, 6, {probe_at(3)}) == cut);
}

TEST_CASE("a constant that is there is used, and what is added can be looked up") {
  classfile::ConstantPool pool;
  const classfile::MemberReference hit{.kind = classfile::Constant::kMethod,
                                       .owner = "java/lang/Probe",
                                       .name = "hit",
                                       .descriptor = "(Ljava/lang/Throwable;)V"};
  const auto first = pool.add_member(hit);
  REQUIRE(first);
  CHECK(pool.size() == 7);
  CHECK(pool.add_member(hit) == first);
  CHECK(pool.size() == 7);
  CHECK(pool.add_class("java/lang/Probe"));
  CHECK(pool.size() == 7);
  const classfile::MemberReference found =
      pool.member(*first).value_or(classfile::MemberReference{});
  CHECK(found.owner == hit.owner);
  CHECK(found.name == hit.name);
  CHECK(found.descriptor == hit.descriptor);
  CHECK_FALSE(pool.member(1));
  CHECK_FALSE(pool.class_name(0));
  CHECK_FALSE(pool.utf8(pool.size()));
}

TEST_CASE("a long takes two entries, and a pool that is full stays as it is") {
  codec::Writer writer;
  writer.write_unsigned_short(5);
  writer.write_span(Bytes{5, 0, 0, 0, 0, 0, 0, 0, 1, 1, 0, 1, 'a', 7, 0, 3});
  codec::Reader reader(writer.bytes());
  auto pool = classfile::ConstantPool::read(reader);
  REQUIRE(pool);
  CHECK(pool->kind(1) == classfile::Constant::kLong);
  CHECK(pool->kind(2) == classfile::Constant::kNone);
  CHECK(pool->class_name(4) == "a");
  CHECK(pool->add_class("a") == 4);
  codec::Writer again;
  pool->write(again);
  CHECK(Bytes(again.bytes().begin(), again.bytes().end()) == writer.take());
  for (int number = 0; pool->size() < 65535; ++number) {
    REQUIRE(pool->add_utf8(std::to_string(number)));
  }
  CHECK(pool->add_utf8("one more") == std::unexpected(classfile::RewriteError::kTooManyConstants));
  CHECK(pool->add_utf8("a") == 3);
  CHECK(pool->size() == 65535);
}

TEST_CASE("a pool that ends in the middle of a long is refused") {
  codec::Writer writer;
  writer.write_unsigned_short(2);
  writer.write_span(Bytes{5, 0, 0, 0, 0, 0, 0, 0, 1});
  codec::Reader reader(writer.bytes());
  const auto pool = classfile::ConstantPool::read(reader);
  REQUIRE_FALSE(pool);
  CHECK(pool.error() == classfile::RewriteError::kMalformed);
}

TEST_SUITE_END();

}  // namespace jvmdebug::tests
