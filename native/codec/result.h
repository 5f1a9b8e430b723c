// SPDX-License-Identifier: Apache-2.0
//
// What every function returns that can fail for a reason a debugger may be told: the thing, or
// the JDWP error code of the reply.
#pragma once

#include <expected>

#include "codec/generated/constants.h"

namespace jvmdebug {

template <class T>
using Result = std::expected<T, protocol::Error>;

// `return fail(protocol::Error::kInvalidThread);` in a function that returns any Result.
[[nodiscard]] constexpr std::unexpected<protocol::Error> fail(protocol::Error error) {
  return std::unexpected(error);
}

}  // namespace jvmdebug
