// SPDX-License-Identifier: Apache-2.0
//
// The tests of native/agent without Java: what needs no VM, and the rest in a fake one.
#include "tests/fake_vm/debuggee.h"
#include "tests/suite.h"

namespace jvmdebug::tests {

void agent_bytecode_tests(Suite& suite);
void agent_callbacks_tests(Suite& suite, fake::Debuggee& debuggee);
void agent_after_death_tests(Suite& suite, fake::Debuggee& debuggee);
void agent_code_flow_tests(Suite& suite);
void agent_locks_tests(Suite& suite);
void agent_options_tests(Suite& suite);
void agent_commands_tests(Suite& suite, fake::Debuggee& debuggee);
void agent_events_tests(Suite& suite, fake::Debuggee& debuggee);
void agent_places_tests(Suite& suite, fake::Debuggee& debuggee);
void agent_source_map_tests(Suite& suite);
void agent_strings_tests(Suite& suite);
void agent_virtual_threads_tests(Suite& suite, fake::Debuggee& debuggee);

}  // namespace jvmdebug::tests

int main() {
  jvmdebug::tests::Suite suite;
  jvmdebug::tests::agent_locks_tests(suite);
  jvmdebug::tests::agent_bytecode_tests(suite);
  jvmdebug::tests::agent_code_flow_tests(suite);
  jvmdebug::tests::agent_options_tests(suite);
  jvmdebug::tests::agent_source_map_tests(suite);
  jvmdebug::tests::agent_strings_tests(suite);
  for (const int feature_version : {17, 25}) {
    auto& debuggee = jvmdebug::fake::Debuggee::start(feature_version);
    jvmdebug::tests::agent_commands_tests(suite, debuggee);
    jvmdebug::tests::agent_events_tests(suite, debuggee);
    jvmdebug::tests::agent_places_tests(suite, debuggee);
    jvmdebug::tests::agent_callbacks_tests(suite, debuggee);
    if (feature_version >= jvmdebug::fake::World::kVirtualThreadsSince) {
      jvmdebug::tests::agent_virtual_threads_tests(suite, debuggee);
    }
    jvmdebug::tests::agent_after_death_tests(suite, debuggee);  // the last ones in this VM
  }
  return suite.finish();
}
