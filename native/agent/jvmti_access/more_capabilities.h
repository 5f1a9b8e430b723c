// SPDX-License-Identifier: Apache-2.0
//
// The capabilities that only scripts use, by their bits: see jvm/capabilities.h.
#pragma once

#include "agent/jvm/capabilities.h"

namespace jvmdebug::agent::jvmti_access {

inline constexpr auto kGetCurrentThreadCpuTime = static_cast<jvm::Capability>(22);
inline constexpr auto kGenerateCompiledMethodLoadEvents = static_cast<jvm::Capability>(27);
inline constexpr auto kGenerateVmObjectAllocEvents = static_cast<jvm::Capability>(29);
inline constexpr auto kGenerateNativeMethodBindEvents = static_cast<jvm::Capability>(30);
inline constexpr auto kSetNativeMethodPrefix = static_cast<jvm::Capability>(36);
inline constexpr auto kGenerateResourceExhaustionHeapEvents = static_cast<jvm::Capability>(39);
inline constexpr auto kGenerateResourceExhaustionThreadsEvents = static_cast<jvm::Capability>(40);

}  // namespace jvmdebug::agent::jvmti_access
