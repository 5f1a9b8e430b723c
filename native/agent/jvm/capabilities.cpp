// SPDX-License-Identifier: Apache-2.0
#include "agent/jvm/capabilities.h"

#include <cstddef>
#include <cstring>

#include "agent/jvm/env.h"

namespace jvmdebug::agent::jvm {
namespace {

constexpr std::size_t byte_of(Capability capability) {
  return static_cast<std::size_t>(capability) / 8;
}

// gcc and clang on Linux lay bit-fields out from the lowest bit of the first byte on.
constexpr std::uint8_t mask_of(Capability capability) {
  return static_cast<std::uint8_t>(1U << (static_cast<unsigned>(capability) % 8U));
}

}  // namespace

Capabilities::Capabilities(std::initializer_list<Capability> wanted) {
  for (const Capability capability : wanted) {
    add(capability);
  }
}

Capabilities::Capabilities(const jvmtiCapabilities& raw) {
  std::memcpy(bytes_.data(), &raw, bytes_.size());
}

bool Capabilities::has(Capability capability) const {
  return (bytes_[byte_of(capability)] & mask_of(capability)) != 0;
}

void Capabilities::add(Capability capability) {
  bytes_[byte_of(capability)] |= mask_of(capability);
}

void Capabilities::remove(Capability capability) {
  bytes_[byte_of(capability)] &= static_cast<std::uint8_t>(~mask_of(capability));
}

Capabilities Capabilities::operator&(const Capabilities& other) const {
  Capabilities both = *this;
  for (std::size_t index = 0; index < bytes_.size(); ++index) {
    both.bytes_[index] &= other.bytes_[index];
  }
  return both;
}

Capabilities debugger_capabilities() {
  return {
      Capability::kTagObjects,
      Capability::kGenerateObjectFreeEvents,
      Capability::kGenerateFieldModificationEvents,
      Capability::kGenerateFieldAccessEvents,
      Capability::kGetBytecodes,
      Capability::kGetSyntheticAttribute,
      Capability::kGetOwnedMonitorInfo,
      Capability::kGetCurrentContendedMonitor,
      Capability::kGetMonitorInfo,
      Capability::kPopFrame,
      Capability::kRedefineClasses,
      Capability::kSignalThread,
      Capability::kGetSourceFileName,
      Capability::kGetLineNumbers,
      Capability::kGetSourceDebugExtension,
      Capability::kAccessLocalVariables,
      Capability::kMaintainOriginalMethodOrder,
      Capability::kGenerateSingleStepEvents,
      Capability::kGenerateExceptionEvents,
      Capability::kGenerateFramePopEvents,
      Capability::kGenerateBreakpointEvents,
      Capability::kSuspend,
      Capability::kRedefineAnyClass,
      Capability::kGetThreadCpuTime,
      Capability::kGenerateMethodEntryEvents,
      Capability::kGenerateMethodExitEvents,
      Capability::kGenerateMonitorEvents,
      Capability::kForceEarlyReturn,
      Capability::kGetOwnedMonitorStackDepthInfo,
      Capability::kGetConstantPool,
      Capability::kSupportVirtualThreads,
  };
}

Capabilities full_speed_capabilities() {
  Capabilities all = debugger_capabilities();
  all.remove(Capability::kGenerateExceptionEvents);
  all.remove(Capability::kGenerateFramePopEvents);
  all.remove(Capability::kGenerateMethodExitEvents);
  return all;
}

Result<Capabilities> take(const Env& env, const Capabilities& wanted) {
  JVMDEBUG_ASSIGN(const Capabilities potential, env.get_potential_capabilities());
  const Capabilities possible = potential & wanted;
  JVMDEBUG_CHECK(env.add_capabilities(possible));
  return possible;
}

}  // namespace jvmdebug::agent::jvm
