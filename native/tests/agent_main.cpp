// SPDX-License-Identifier: Apache-2.0
//
// The tests of native/agent without Java: what needs no VM, and the rest in a fake one.
#include "tests/fake_vm/debuggee.h"
#include "tests/suite.h"

namespace jvmdebug::tests {

void agent_bytecode_tests(Suite& suite);
void agent_code_flow_tests(Suite& suite);
void agent_options_tests(Suite& suite);
void agent_commands_tests(Suite& suite, fake::Debuggee& debuggee);
void agent_source_map_tests(Suite& suite);
void agent_strings_tests(Suite& suite);

}  // namespace jvmdebug::tests

int main() {
  jvmdebug::tests::Suite suite;
  jvmdebug::tests::agent_bytecode_tests(suite);
  jvmdebug::tests::agent_code_flow_tests(suite);
  jvmdebug::tests::agent_options_tests(suite);
  jvmdebug::tests::agent_source_map_tests(suite);
  jvmdebug::tests::agent_strings_tests(suite);
  auto& debuggee = jvmdebug::fake::Debuggee::start(17);
  jvmdebug::tests::agent_commands_tests(suite, debuggee);
  return suite.finish();
}
