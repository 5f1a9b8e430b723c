// SPDX-License-Identifier: Apache-2.0
//
// The result type of every call into JVM TI. An error holds the JVM TI code and converts to the
// JDWP error implicitly when a function that returns protocol::Error passes it on.
#pragma once

#include <expected>

#include <jvmti.h>

#include "agent/jvm/error_table.h"
#include "codec/result.h"  // IWYU pragma: export

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
