// SPDX-License-Identifier: Apache-2.0
//
// Capabilities are bytes: each bit that is passed to the VM was requested, including the bits
// without a name in jvmti.h.
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <doctest/doctest.h>
#include <new>

#include "agent/jvm/capabilities.h"

namespace jvmdebug::tests {

using agent::jvm::Capabilities;
using agent::jvm::Capability;

namespace {

using Bytes = std::array<std::uint8_t, sizeof(jvmtiCapabilities)>;

Bytes bytes_of(const Capabilities& capabilities) {
  Bytes bytes{};
  std::memcpy(bytes.data(), capabilities.raw(), bytes.size());
  return bytes;
}

}  // namespace

TEST_CASE("capabilities made in used memory have no bit that nobody asked for") {
  alignas(Capabilities) std::array<std::byte, sizeof(Capabilities)> memory{};
  memory.fill(std::byte{0xFF});
  const auto* none = ::new (memory.data()) Capabilities{};
  CHECK(bytes_of(*none) == Bytes{});

  memory.fill(std::byte{0xFF});
  const auto* one = ::new (memory.data()) Capabilities{Capability::kSupportVirtualThreads};
  Bytes expected{};
  expected[5] = 0x10;  // bit 44
  CHECK(bytes_of(*one) == expected);
}

TEST_CASE("capabilities keep bits that jvmti.h has no name for") {
  Bytes all{};
  all.fill(0xFF);
  jvmtiCapabilities raw;
  std::memcpy(&raw, all.data(), all.size());
  Capabilities capabilities(raw);
  CHECK(bytes_of(capabilities) == all);

  const Capabilities copy = capabilities;
  CHECK(bytes_of(copy) == all);
  CHECK(bytes_of(copy & Capabilities{Capability::kTagObjects}) ==
        bytes_of(Capabilities{Capability::kTagObjects}));

  capabilities.remove(Capability::kPopFrame);
  CHECK_FALSE(capabilities.has(Capability::kPopFrame));
  CHECK(capabilities.has(Capability::kGetMonitorInfo));
  all[1] = 0xFE;
  CHECK(bytes_of(capabilities) == all);
}

TEST_CASE("the full speed capabilities lack the three that slow exceptions down") {
  Capabilities all = agent::jvm::debugger_capabilities();
  for (const Capability slow :
       {Capability::kGenerateExceptionEvents, Capability::kGenerateFramePopEvents,
        Capability::kGenerateMethodExitEvents}) {
    CHECK(all.has(slow));
    all.remove(slow);
  }
  CHECK(bytes_of(all) == bytes_of(agent::jvm::full_speed_capabilities()));
}

}  // namespace jvmdebug::tests
