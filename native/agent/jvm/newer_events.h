// SPDX-License-Identifier: Apache-2.0
//
// Events of JDK 21 and newer, which the header of JDK 17 does not declare.
#pragma once

#include <jvmti.h>

namespace jvmdebug::agent::jvm {

inline constexpr auto kVirtualThreadStart = static_cast<jvmtiEvent>(87);
inline constexpr auto kVirtualThreadEnd = static_cast<jvmtiEvent>(88);

}  // namespace jvmdebug::agent::jvm
