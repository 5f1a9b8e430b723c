// SPDX-License-Identifier: Apache-2.0
//
// The tests of what native/agent does without a VM.
#include "tests/suite.h"

namespace jvmdebug::tests {

void agent_bytecode_tests(Suite& suite);
void agent_options_tests(Suite& suite);
void agent_source_map_tests(Suite& suite);
void agent_strings_tests(Suite& suite);

}  // namespace jvmdebug::tests

int main() {
  jvmdebug::tests::Suite suite;
  jvmdebug::tests::agent_bytecode_tests(suite);
  jvmdebug::tests::agent_options_tests(suite);
  jvmdebug::tests::agent_source_map_tests(suite);
  jvmdebug::tests::agent_strings_tests(suite);
  return suite.finish();
}
