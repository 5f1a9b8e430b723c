// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <doctest/doctest.h>
#include <set>
#include <vector>

#include "classfile/bytecode.h"
#include "classfile/constant_pool.h"
#include "classfile/field_stores.h"

namespace jvmdebug::tests {

using classfile::begins_instruction;
using classfile::Constant;
using classfile::ConstantPool;
using classfile::instruction_size;
using classfile::NamedField;
using classfile::stores_into;

namespace {

using Code = std::vector<std::uint8_t>;

std::vector<std::size_t> starts(const Code& code) {
  std::vector<std::size_t> found;
  for (std::size_t index = 0; index < code.size(); ++index) {
    if (begins_instruction(code, static_cast<std::int64_t>(index))) {
      found.push_back(index);
    }
  }
  return found;
}

}  // namespace

TEST_CASE("instructions begin where the one before ends") {
  // aload_0, bipush 7, sipush 1 2, iinc 1 1, invokevirtual 0 1, invokedynamic 0 1 0 0, return
  const Code code = {42, 16, 7, 17, 1, 2, 132, 1, 1, 182, 0, 1, 186, 0, 1, 0, 0, 177};
  CHECK(starts(code) == std::vector<std::size_t>({0, 1, 3, 6, 9, 12, 17}));
  CHECK(!begins_instruction(code, -1));
  CHECK(!begins_instruction(code, 18));
  CHECK(!begins_instruction(code, INT64_MAX));
}

TEST_CASE("wide and multianewarray") {
  // wide iload 1 2, wide iinc 1 2 3 4, multianewarray 0 1 2, goto_w 0 0 0 5, return
  const Code code = {196, 21, 1, 2, 196, 132, 1, 2, 3, 4, 197, 0, 1, 2, 200, 0, 0, 0, 5, 177};
  CHECK(starts(code) == std::vector<std::size_t>({0, 4, 10, 14, 19}));
}

TEST_CASE("switches are aligned and have entries") {
  // iload_0, tableswitch with 2 bytes of padding, default, 5 to 6, two offsets; return
  const Code table = {26, 170, 0, 0, 0, 0, 0, 9, 0, 0, 0, 5,  0,
                      0,  0,   6, 0, 0, 0, 9, 0, 0, 0, 9, 177};
  CHECK(starts(table) == std::vector<std::size_t>({0, 1, 24}));
  // lookupswitch with 3 bytes of padding, default, one pair; return
  const Code lookup = {171, 0, 0, 0, 0, 0, 0, 9, 0, 0, 0, 1, 0, 0, 0, 5, 0, 0, 0, 9, 177};
  CHECK(starts(lookup) == std::vector<std::size_t>({0, 20}));
}

TEST_CASE("stores are found by slot") {
  // istore_0, astore 0, wide lstore 1 0, dstore_3, fstore 5, iinc 5 1, astore_3, aload 77, return
  const Code code = {59, 58, 0, 196, 55, 1, 0, 74, 56, 5, 132, 5, 1, 78, 25, 77, 177};
  CHECK(stores_into(code, 0) == "IA");
  CHECK(stores_into(code, 256) == "J");
  CHECK(stores_into(code, 257) == "-");
  CHECK(stores_into(code, 3) == "DA");
  CHECK(stores_into(code, 4) == "-");
  CHECK(stores_into(code, 5) == "F");
  CHECK(stores_into(code, 77).empty());
  CHECK(stores_into({}, 0).empty());
}

TEST_CASE("what is no code begins nothing") {
  CHECK(instruction_size({}, 0) == 0);
  CHECK(instruction_size(Code{255}, 0) == 0);
  CHECK(instruction_size(Code{17, 1}, 0) == 0);  // cut
  CHECK(instruction_size(Code{196}, 0) == 0);
  CHECK(instruction_size(Code{170, 0, 0, 0, 0}, 0) == 0);
  // tableswitch from 2 to 0; lookupswitch of -1 pairs, and of far too many
  const Code backward = {170, 0, 0, 0, 0, 0, 0, 9, 0, 0, 0, 2, 0, 0, 0, 0};
  CHECK(instruction_size(backward, 0) == 0);
  const Code negative = {171, 0, 0, 0, 0, 0, 0, 9, 255, 255, 255, 255};
  CHECK(instruction_size(negative, 0) == 0);
  const Code endless = {171, 0, 0, 0, 0, 0, 0, 9, 127, 255, 255, 255};
  CHECK(instruction_size(endless, 0) == 0);
  CHECK(!begins_instruction(Code{17, 1}, 1));
}

TEST_CASE("writes of a field are found by its constants") {
  classfile::ConstantPool pool;
  const auto add = [&](classfile::Constant kind, const char* owner, const char* name,
                       const char* descriptor) {
    return pool.add_member({.kind = kind, .owner = owner, .name = name, .descriptor = descriptor})
        .value_or(0);
  };
  const std::size_t own = add(classfile::Constant::kField, "a/Dog", "age", "I");
  const std::size_t inherited = add(classfile::Constant::kField, "a/Puppy", "age", "I");
  add(classfile::Constant::kField, "a/Cat", "age", "I");
  add(classfile::Constant::kField, "a/Dog", "age", "J");
  add(classfile::Constant::kField, "a/Dog", "name", "I");
  add(classfile::Constant::kMethod, "a/Dog", "age", "()I");
  const classfile::NamedField age{.name = "age", .descriptor = "I", .owners = {"a/Dog", "a/Puppy"}};
  CHECK(age.owns("La/Dog;"));
  CHECK_FALSE(age.owns("La/Cat;"));
  CHECK_FALSE(age.owns("[La/Dog;"));
  CHECK_FALSE(age.owns("I"));
  CHECK(classfile::constants_of(pool, age) == std::set{own, inherited});

  // putfield 7; a sipush whose operand looks like a putfield; getfield 7; putstatic 258; putfield 8
  const Code code{0xb5, 0, 7, 0x11, 0xb5, 7, 0xb4, 0, 7, 0xb3, 1, 2, 0xb5, 0, 8};
  CHECK(classfile::field_stores(code, {7, 258}) == std::vector<std::size_t>{0, 9});
  CHECK(classfile::field_stores(code, {}).empty());
  CHECK(classfile::field_stores(Code{0xb5, 0}, {0}).empty());
}

}  // namespace jvmdebug::tests
