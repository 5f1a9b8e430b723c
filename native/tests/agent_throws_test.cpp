// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <cstdint>
#include <doctest/doctest.h>
#include <span>
#include <vector>

#include "agent/throws/throw_checks.h"
#include "classfile/open_throws.h"

namespace jvmdebug::tests {

namespace {

namespace throws = agent::throws;

using Code = std::vector<std::uint8_t>;
using Handlers = std::vector<classfile::ExceptionHandler>;
using Indexes = std::vector<std::size_t>;

constexpr std::uint8_t kThrow = 191;

// Finds open throws; calls of the constant 1 are constructor calls.
Indexes open(const Code& code, const Handlers& handlers = {}) {
  return classfile::open_throws(code, handlers, [&](std::size_t at) { return code[at + 2] == 1; });
}

TEST_CASE("what was made at once") {
  // new; dup; invokespecial 1; athrow
  CHECK(open({187, 0, 9, 89, 183, 0, 1, kThrow}).empty());
  // The same, through a variable, and with a cast.
  CHECK(open({187, 0, 9, 89, 183, 0, 1, 75, 42, 192, 0, 9, kThrow}).empty());
  CHECK(open({1, kThrow}).empty());  // null
}

TEST_CASE("what others have made") {
  CHECK(open({42, kThrow}) == Indexes{1});                 // a parameter
  CHECK(open({178, 0, 1, kThrow}) == Indexes{3});          // a static field
  CHECK(open({184, 0, 1, kThrow}) == Indexes{3});          // of a method
  CHECK(open({42, 183, 0, 2, kThrow}) == Indexes{4});      // of a private one
  CHECK(open({184, 0, 1, 75, 42, kThrow}) == Indexes{5});  // through a variable
}

TEST_CASE("either of both") {
  // iload_1; ifeq 12; new; dup; invokespecial 1; goto 13; aload_0; athrow
  const Code branches = {27, 153, 0, 14, 187, 0, 9, 89, 183, 0, 1, 167, 0, 5, 0, 42, kThrow};
  CHECK(open(branches) == Indexes{16});
  Code made = branches;
  made[15] = 1;  // null in place of the parameter
  CHECK(open(made).empty());
  // A jump to the throw itself: goto 7; invokespecial 1; athrow. What is on the stack is a
  // parameter.
  CHECK(open({42, 167, 0, 6, 183, 0, 1, kThrow}) == Indexes{7});
}

TEST_CASE("what was caught here") {
  // invokestatic; return; astore_1; aload_1; athrow
  const Code again = {184, 0, 1, 177, 76, 43, kThrow};
  const Handlers handlers = {{.start = 0, .end = 3, .handler = 4, .catch_type = 0}};
  CHECK(open(again, handlers).empty());
  // The variable may still have its old value.
  const Code other = {184, 0, 1, 177, 77, 43, kThrow};  // astore_2; aload_1
  CHECK(open(other, handlers) == Indexes{6});
}

TEST_CASE("a variable that is set in a loop") {
  // aload_0; astore_1; aload_1; athrow, with goto 1 of what was made: 6: new; dup; invokespecial 1
  const Code loop = {42, 76, 27, 153, 0, 13, 187, 0, 9, 89, 183, 0, 1, 167, 0xff, 0xf4, 43, kThrow};
  CHECK(open(loop) == Indexes{17});
}

TEST_CASE("code that cannot be followed is in doubt") {
  CHECK(open({}).empty());
  CHECK(open({168, 0, 3, 1, kThrow}) == Indexes{4});     // jsr
  CHECK(open({167, 0x7f, 0, 1, kThrow}) == Indexes{4});  // out of the method
  CHECK(open({178, 0, 1, kThrow, 167}).empty());         // cut off: no instructions at all
}

TEST_CASE("handlers that are out of the code") {
  const Handlers handlers = {{.start = 900, .end = 2000, .handler = 3000, .catch_type = 0},
                             {.start = 1, .end = 2, .handler = 0, .catch_type = 0}};
  CHECK(open({42, kThrow}, handlers) == Indexes{1});
}

TEST_CASE("by the code alone, what comes to a handler is in doubt") {
  using throws::ThrowChecks;
  CHECK(throws::throw_checks_in(Code{177}) == ThrowChecks::kNoNeed);
  CHECK(throws::throw_checks_in(Code{187, 0, 9, 89, 183, 0, 1, kThrow}) == ThrowChecks::kNoNeed);
  CHECK(throws::throw_checks_in(Code{178, 0, 1, kThrow}) == ThrowChecks::kLacking);
}

TEST_CASE("a method that the calls would keep from being compiled has none") {
  const auto of_size = [](std::size_t size) {
    Code code(size);  // nop
    code.insert(code.end(), {178, 0, 1, kThrow});
    return throws::throw_checks_in(code);
  };
  CHECK(of_size(7'984) == throws::ThrowChecks::kLacking);
  CHECK(of_size(7'985) == throws::ThrowChecks::kNoNeed);
  CHECK(of_size(7'996) == throws::ThrowChecks::kNoNeed);
  CHECK(of_size(7'997) == throws::ThrowChecks::kLacking);  // it is not compiled as it is
}

TEST_CASE("classes that get none") {
  CHECK(throws::may_check_throws("a/b/C"));
  CHECK(throws::may_check_throws("java/util/concurrent/FutureTask"));
  CHECK(!throws::may_check_throws("java/lang/Throwable"));
  CHECK(!throws::may_check_throws("java/lang/invoke/MethodHandle"));
  CHECK(!throws::may_check_throws("a/b/JvmdebugProbe7"));
  CHECK(!throws::with_throw_checks(Code{kThrow, 1, 2}).has_value());
}

}  // namespace

}  // namespace jvmdebug::tests
