// SPDX-License-Identifier: Apache-2.0
#include "tests/in_vm.h"

#include <cstdlib>
#include <string>

namespace jvmdebug::tests {

int fake_vm_version() {
  const char* const chosen = std::getenv("JVMDEBUG_FAKE_VM");
  return chosen == nullptr ? 25 : std::stoi(chosen);
}

fake::Debuggee& shared_debuggee() {
  static fake::Debuggee& debuggee = fake::Debuggee::start(fake_vm_version());
  return debuggee;
}

}  // namespace jvmdebug::tests
