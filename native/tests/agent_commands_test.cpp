// SPDX-License-Identifier: Apache-2.0
#include "codec/generated/thread_reference.h"
#include "codec/generated/virtual_machine.h"
#include "tests/fake_vm/debuggee.h"
#include "tests/suite.h"

namespace jvmdebug::tests {

void agent_commands_tests(Suite& suite, fake::Debuggee& debuggee) {
  namespace vm = protocol::virtual_machine;
  namespace threads = protocol::thread_reference;

  suite.test("threads are listed, those of the agent are not", [&] {
    debuggee.connect();
    const auto listed = debuggee.ask<vm::AllThreadsReply>(vm::AllThreadsRequest{});
    CHECK(listed && listed->threads.size() == 3);
    const auto name = debuggee.ask<threads::NameReply>(threads::NameRequest{listed->threads[0]});
    CHECK(name && name->name == "main");
    CHECK(debuggee.disconnect());
  });
}

}  // namespace jvmdebug::tests
