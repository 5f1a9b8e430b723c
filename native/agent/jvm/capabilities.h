// SPDX-License-Identifier: Apache-2.0
//
// The JVM TI capabilities as a set of bits. jvmti.h of JDK 17 has no names for those of newer VMs,
// so they are addressed by their bit number (their order in the specification), which never
// changes.
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>

#include <jvmti.h>

#include "agent/jvm/result.h"

namespace jvmdebug::agent::jvm {

class Env;

// Bit numbers in jvmtiCapabilities.
enum class Capability : std::uint8_t {
  kTagObjects = 0,
  kGenerateFieldModificationEvents = 1,
  kGenerateFieldAccessEvents = 2,
  kGetBytecodes = 3,
  kGetSyntheticAttribute = 4,
  kGetOwnedMonitorInfo = 5,
  kGetCurrentContendedMonitor = 6,
  kGetMonitorInfo = 7,
  kPopFrame = 8,
  kRedefineClasses = 9,
  kSignalThread = 10,
  kGetSourceFileName = 11,
  kGetLineNumbers = 12,
  kGetSourceDebugExtension = 13,
  kAccessLocalVariables = 14,
  kMaintainOriginalMethodOrder = 15,
  kGenerateSingleStepEvents = 16,
  kGenerateExceptionEvents = 17,
  kGenerateFramePopEvents = 18,
  kGenerateBreakpointEvents = 19,
  kSuspend = 20,
  kRedefineAnyClass = 21,
  kGetThreadCpuTime = 23,
  kGenerateMethodEntryEvents = 24,
  kGenerateMethodExitEvents = 25,
  kGenerateMonitorEvents = 28,
  kGenerateGarbageCollectionEvents = 31,
  kGenerateObjectFreeEvents = 32,
  kForceEarlyReturn = 33,
  kGetOwnedMonitorStackDepthInfo = 34,
  kGetConstantPool = 35,
  kRetransformClasses = 37,
  kRetransformAnyClass = 38,
  kGenerateResourceExhaustionHeapEvents = 39,
  kGenerateResourceExhaustionThreadsEvents = 40,
  kGenerateSampledObjectAllocEvents = 43,
  kSupportVirtualThreads = 44,  // 21 and newer
};

class Capabilities {
 public:
  Capabilities() = default;

  explicit Capabilities(const jvmtiCapabilities& raw);

  Capabilities(std::initializer_list<Capability> wanted);

  [[nodiscard]] bool has(Capability capability) const;
  void add(Capability capability);
  void remove(Capability capability);
  // The capabilities that are in both.
  [[nodiscard]] Capabilities operator&(const Capabilities& other) const;

  // The capabilities as the VM takes them.
  [[nodiscard]] const jvmtiCapabilities* raw() const {
    return reinterpret_cast<const jvmtiCapabilities*>(bytes_.data());
  }

 private:
  // Bytes instead of the structure of jvmti.h: a copy of the structure may leave out bits that have
  // no name in it, as those of newer VMs.
  alignas(jvmtiCapabilities) std::array<std::uint8_t, sizeof(jvmtiCapabilities)> bytes_{};
};

// Returns all capabilities that a debugger uses, including the three that make exceptions slow
// (exception, frame pop and method exit events).
[[nodiscard]] Capabilities debugger_capabilities();
// The same without those three: any one of them, even unused, makes HotSpot throw exceptions
// through its slow path for the whole run. The others do not slow down code that is not being
// debugged, with two exceptions that no debugger can avoid, because the capabilities for
// breakpoints, locals and popping frames cause both: JDK 11 allocates objects that never leave a
// method instead of removing the allocation, and a virtual thread starts some 5 % later.
[[nodiscard]] Capabilities full_speed_capabilities();

// Takes those of `wanted` that this VM can give now, and returns what the environment then has.
[[nodiscard]] Result<Capabilities> take(const Env& env, const Capabilities& wanted);

}  // namespace jvmdebug::agent::jvm
