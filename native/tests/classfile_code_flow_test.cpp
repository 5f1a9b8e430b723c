// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cstddef>
#include <cstdint>
#include <doctest/doctest.h>
#include <optional>
#include <vector>

#include "classfile/code_flow.h"

namespace jvmdebug::tests {

namespace {

using Code = std::vector<std::uint8_t>;
using Indexes = std::vector<std::size_t>;

// try { call(); } catch (E e) { }  return;
constexpr auto kCatch = std::to_array<std::uint8_t>({
    184,
    0,
    1,  // 0: invokestatic
    167,
    0,
    4,    // 3: goto 7
    75,   // 6: astore_0
    177,  // 7: return
});

// finally with a branch in it, which is a block of its own.
constexpr auto kFinally = std::to_array<std::uint8_t>({
    184,
    0,
    1,    // 0: invokestatic
    177,  // 3: return
    75,   // 4: astore_0
    26,   // 5: iload_0
    153,
    0,
    4,    // 6: ifeq 10
    0,    // 9: nop
    42,   // 10: aload_0
    191,  // 11: athrow
});

// tableswitch (low 0, high 1) to 24 and 25, default 26; a handler at 27.
constexpr auto kSwitch = std::to_array<std::uint8_t>({
    26,  170, 0, 0,   // 0: iload_0, 1: tableswitch, padding to 4
    0,   0,   0, 25,  // default: 26
    0,   0,   0, 0,   // low
    0,   0,   0, 1,   // high
    0,   0,   0, 23,  // 0: 24
    0,   0,   0, 24,  // 1: 25
    177,              // 24: return
    177,              // 25: return
    177,              // 26: return
    191,              // 27: athrow
});

// lookupswitch of one pair to 20, default 21; a handler at 22.
constexpr auto kLookup = std::to_array<std::uint8_t>({
    26,  171, 0, 0,   // 0: iload_0, 1: lookupswitch, padding to 4
    0,   0,   0, 20,  // default: 21
    0,   0,   0, 1,   // pairs
    0,   0,   0, 9,   // 9:
    0,   0,   0, 19,  // 20
    177,              // 20: return
    177,              // 21: return
    191,              // 22: athrow
});

TEST_CASE("handlers are what the normal flow does not reach") {
  CHECK(classfile::exception_blocks(kCatch) == Indexes{6});
  CHECK((classfile::exception_blocks(kFinally) == Indexes{4, 10}));
  CHECK(classfile::exception_blocks(kSwitch) == Indexes{27});
  CHECK(classfile::exception_blocks(kLookup) == Indexes{22});
  CHECK(classfile::exception_blocks(Code{177}).empty());
}

TEST_CASE("subroutines and wide jumps") {
  // jsr 4; return; astore_1; wide ret 1: what follows the jsr is reached by its ret.
  const Code old = {168, 0, 4, 177, 76, 196, 169, 0, 1, 191};
  CHECK(classfile::exception_blocks(old) == Indexes{9});
  // goto_w over a handler, and backwards out of it.
  const Code wide = {200, 0, 0, 0, 6, 87, 177, 191};
  CHECK((classfile::exception_blocks(wide) == Indexes{5, 7}));
}

TEST_CASE("malformed code") {
  CHECK(classfile::exception_blocks(Code{}).empty());
  CHECK(classfile::exception_blocks(Code{167}).empty());           // cut off
  CHECK(classfile::exception_blocks(Code{167, 0x7f, 0}).empty());  // out of the method
  CHECK(classfile::exception_blocks(Code{167, 0xff, 0}).empty());  // before it
  CHECK(classfile::exception_blocks(Code{255}).empty());
  // Into the middle of an instruction.
  CHECK(classfile::exception_blocks(Code{167, 0, 4, 16, 177, 177}) == Indexes{3});
}

TEST_CASE("calls and what follows them") {
  using classfile::next_instruction;
  CHECK(next_instruction(kCatch, 0) == std::size_t{3});
  CHECK(next_instruction(kCatch, 3) == std::nullopt);    // goto
  CHECK(next_instruction(kCatch, 7) == std::nullopt);    // return
  CHECK(next_instruction(kFinally, 6) == std::nullopt);  // ifeq
  CHECK(next_instruction(kCatch, 100) == std::nullopt);
  CHECK(next_instruction(Code{185, 0, 1, 1, 0, 177}, 0) == std::size_t{5});
  CHECK(classfile::is_invoke(kCatch, 0));
  CHECK(!classfile::is_invoke(kCatch, 6));
  CHECK(!classfile::is_invoke(kCatch, 8));
  CHECK(!classfile::is_invokespecial(kCatch, 0));
  CHECK(classfile::is_invokespecial(Code{183, 0, 1, 177}, 0));
}

}  // namespace

}  // namespace jvmdebug::tests
