// SPDX-License-Identifier: Apache-2.0
//
// The fixture of the tests that need a VM. A process has one fake VM, of the Java version in the
// environment variable JVMDEBUG_FAKE_VM (25 without it); it is started by the first test that needs
// it. These tests are in the suites "vm", "vm-21" (needs virtual threads) and "vm-dead" (the VM is
// dead afterwards), which agent_main.cpp runs in this order.
#pragma once

#include "tests/fake_vm/debuggee.h"
#include "tests/fake_vm/world.h"

namespace jvmdebug::tests {

// The Java version of the fake VM.
[[nodiscard]] int fake_vm_version();

// The fake VM of this process, with the agent.
[[nodiscard]] fake::Debuggee& shared_debuggee();

struct InVm {
  fake::Debuggee& debuggee = shared_debuggee();
  fake::World& world = debuggee.world();
  fake::Thread& main = world.main();
};

}  // namespace jvmdebug::tests
