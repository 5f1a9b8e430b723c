// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <doctest/doctest.h>
#include <vector>

#include "classfile/constant_pool.h"
#include "classfile/portable_insertion.h"

namespace jvmdebug::tests {
namespace {

using classfile::Constant;
using classfile::ConstantPool;
using classfile::Insertion;
using classfile::MemberReference;

MemberReference called() {
  return {.kind = Constant::kMethod, .owner = "a/Check", .name = "c", .descriptor = "(I)V"};
}

}  // namespace

TEST_CASE("inserted code names the same members in another class file") {
  ConstantPool pool;
  ConstantPool other;
  REQUIRE(other.add_string("others come first"));
  const auto index = pool.add_member(called());
  REQUIRE(index);
  // iload_1; invokestatic; nop
  const Insertion insertion{.index = 7,
                            .code = {27, 184, 0, static_cast<std::uint8_t>(*index), 0},
                            .stack = 1,
                            .locals = 2};
  const auto portable = classfile::portable(insertion, pool);
  REQUIRE(portable);
  const auto fitted = classfile::fitted(*portable, other);
  REQUIRE(fitted);
  CHECK(fitted->index == 7);
  CHECK(fitted->stack == 1);
  CHECK(fitted->locals == 2);
  REQUIRE(fitted->code.size() == insertion.code.size());
  const auto named =
      other.member(fitted->code[2] * 256U + fitted->code[3]).value_or(MemberReference{});
  CHECK(named.owner == "a/Check");
  CHECK(named.descriptor == "(I)V");
  CHECK(fitted->code != insertion.code);
}

TEST_CASE("inserted code with other constants fits nowhere else") {
  const ConstantPool pool;
  for (const std::vector<std::uint8_t>& code : {
           std::vector<std::uint8_t>{18, 1},            // ldc
           std::vector<std::uint8_t>{187, 0, 1},        // new
           std::vector<std::uint8_t>{186, 0, 1, 0, 0},  // invokedynamic
           std::vector<std::uint8_t>{184, 0, 1},        // invokestatic of what is not there
           std::vector<std::uint8_t>{184, 0},           // an end in the middle
       }) {
    CHECK_FALSE(classfile::portable({.index = 0, .code = code}, pool));
  }
}

}  // namespace jvmdebug::tests
