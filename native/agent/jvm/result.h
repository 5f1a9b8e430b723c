// SPDX-License-Identifier: Apache-2.0
//
// The result type of every call into JVM TI. An error carries the JVM TI code and turns into the
// JDWP error by itself when a function that returns protocol::Error hands it on.
#pragma once

#include <expected>
#include <utility>

#include <jvmti.h>

#include "agent/jvm/error_table.h"

namespace jvmdebug::agent::jvm {

// A failed JVM TI call. Converts to the JDWP error through the one table.
struct Error {
  jvmtiError code = JVMTI_ERROR_INTERNAL;

  constexpr explicit(false) operator protocol::Error() const { return jdwp_error(code); }

  friend constexpr bool operator==(Error left, jvmtiError right) { return left.code == right; }
};

template <class T>
using Result = std::expected<T, Error>;

[[nodiscard]] inline Result<void> checked(jvmtiError code) {
  if (code != JVMTI_ERROR_NONE) {
    return std::unexpected(Error{code});
  }
  return {};
}

}  // namespace jvmdebug::agent::jvm

// Both macros work with any std::expected and hand the error on to the enclosing function; they
// exist because gcc 12 has no monadic operations and three lines per call hide what a command does.
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
