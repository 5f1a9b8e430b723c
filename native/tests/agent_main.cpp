// SPDX-License-Identifier: Apache-2.0
//
// The tests of native/agent without Java: some need no VM, the others run in a fake one.
#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include "tests/fake_vm/world.h"
#include "tests/in_vm.h"

int main(int argc, char** argv) {
  doctest::Context context;
  // Tests that need no VM run first, and the suite "vm-dead" last.
  context.setOption("order-by", "suite");
  if (jvmdebug::tests::fake_vm_version() < jvmdebug::fake::World::kVirtualThreadsSince) {
    context.addFilter("test-suite-exclude", "vm-21");
  }
  context.applyCommandLine(argc, argv);
  return context.run();
}
