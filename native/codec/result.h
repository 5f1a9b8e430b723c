// SPDX-License-Identifier: Apache-2.0
//
// The return type of functions that can fail for a reason that a debugger is told: the result, or
// the JDWP error code of the reply.
#pragma once

#include <expected>
#include <utility>

#include "codec/generated/constants.h"

namespace jvmdebug {

template <class T>
using Result = std::expected<T, protocol::Error>;

// Makes an error, in a function that returns any Result: `return
// fail(protocol::Error::kInvalidThread);`
[[nodiscard]] constexpr std::unexpected<protocol::Error> fail(protocol::Error error) {
  return std::unexpected(error);
}

}  // namespace jvmdebug

// Both macros work with any std::expected and return the error from the enclosing function; they
// exist because gcc 12 has no monadic operations, and three lines per call would hide what a
// command does.
#define JVMDEBUG_JOIN_(left, right) left##right
#define JVMDEBUG_JOIN(left, right) JVMDEBUG_JOIN_(left, right)

// NOLINTBEGIN(bugprone-macro-parentheses): a declaration cannot be parenthesised
// JVMDEBUG_ASSIGN(const auto thread, objects.thread(request.thread));
#define JVMDEBUG_ASSIGN(declaration, expression)                       \
  auto JVMDEBUG_JOIN(outcome_, __LINE__) = (expression);               \
  if (!JVMDEBUG_JOIN(outcome_, __LINE__)) {                            \
    return std::unexpected(JVMDEBUG_JOIN(outcome_, __LINE__).error()); \
  }                                                                    \
  declaration = *std::move(JVMDEBUG_JOIN(outcome_, __LINE__))
// NOLINTEND(bugprone-macro-parentheses)

// JVMDEBUG_CHECK(env.interrupt_thread(thread));
#define JVMDEBUG_CHECK(expression)                               \
  if (auto outcome_of_check = (expression); !outcome_of_check) { \
    return std::unexpected(outcome_of_check.error());            \
  }                                                              \
  static_assert(true, "needs a semicolon")
