// SPDX-License-Identifier: Apache-2.0
//
// The status bits of a class in JVM TI and in JDWP.
#pragma once

#include <jvmti.h>

#include "codec/generated/constants.h"

namespace jvmdebug::agent::commands {

// Converts a status. The four bits of JDWP have the same values in JVM TI; arrays and primitive
// types have none of them.
[[nodiscard]] constexpr protocol::ClassStatus class_status(jint status) {
  constexpr jint kKnown = JVMTI_CLASS_STATUS_VERIFIED | JVMTI_CLASS_STATUS_PREPARED |
                          JVMTI_CLASS_STATUS_INITIALIZED | JVMTI_CLASS_STATUS_ERROR;
  return static_cast<protocol::ClassStatus>(status & kKnown);
}

// Whether a class is reported to the client: its fields and methods are known.
[[nodiscard]] constexpr bool is_ready(jint status) {
  return (status & (JVMTI_CLASS_STATUS_PREPARED | JVMTI_CLASS_STATUS_ARRAY)) != 0;
}

}  // namespace jvmdebug::agent::commands
