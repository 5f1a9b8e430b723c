// SPDX-License-Identifier: Apache-2.0
//
// Commands, in the fake VM: who is listed, how suspends are counted, what an invocation answers.
#include <doctest/doctest.h>

#include "codec/generated/class_type.h"
#include "codec/generated/object_reference.h"
#include "codec/generated/thread_reference.h"
#include "codec/generated/virtual_machine.h"
#include "tests/fake_vm/debuggee.h"
#include "tests/in_vm.h"

namespace jvmdebug::tests {

namespace vm = protocol::virtual_machine;
namespace threads = protocol::thread_reference;

namespace {

std::int32_t suspend_count(fake::Debuggee& debuggee, const fake::Thread& thread) {
  const auto reply =
      debuggee.ask<threads::SuspendCountReply>(threads::SuspendCountRequest{debuggee.id(thread)});
  return reply ? reply->suspend_count : -1;
}

struct Commands : InVm {
  const fake::Thread& worker = *world.threads().at(1);
};

}  // namespace

TEST_SUITE_BEGIN("vm");

TEST_CASE_FIXTURE(Commands, "threads are listed, those of the agent are not") {
  debuggee.connect();
  const auto listed = debuggee.ask<vm::AllThreadsReply>(vm::AllThreadsRequest{});
  CHECK((listed && listed->threads.size() == 3));
  const auto name = debuggee.ask<threads::NameReply>(threads::NameRequest{listed->threads[0]});
  CHECK((name && name->name == "main"));
  CHECK(debuggee.disconnect());
}

TEST_CASE_FIXTURE(Commands, "suspends of one and of all add up, resumes take them off") {
  debuggee.connect();
  CHECK(debuggee.ask<void>(vm::SuspendRequest{}));
  CHECK(debuggee.ask<void>(threads::SuspendRequest{debuggee.id(worker)}));
  CHECK(suspend_count(debuggee, worker) == 2);
  CHECK(suspend_count(debuggee, main) == 1);
  CHECK(debuggee.ask<void>(vm::ResumeRequest{}));
  CHECK((suspend_count(debuggee, worker) == 1 && worker.suspended));
  CHECK((suspend_count(debuggee, main) == 0 && !main.suspended));
  CHECK(debuggee.ask<void>(threads::ResumeRequest{debuggee.id(worker)}));
  CHECK(debuggee.ask<void>(threads::ResumeRequest{debuggee.id(worker)}));
  CHECK((suspend_count(debuggee, worker) == 0 && !worker.suspended));
  CHECK(debuggee.disconnect());
}

TEST_CASE_FIXTURE(Commands, "a debugger that goes leaves nobody suspended") {
  debuggee.connect();
  CHECK(debuggee.ask<void>(vm::SuspendRequest{}));
  CHECK(debuggee.ask<void>(vm::SuspendRequest{}));
  CHECK(debuggee.disconnect());
  CHECK((!main.suspended && !worker.suspended));
}

TEST_CASE_FIXTURE(
    Commands, "threads that begin and end leave nothing behind, however many debuggers see them") {
  fake::Thread& late = world.latecomer();
  for (int debuggers = 0; debuggers < 10; ++debuggers) {
    debuggee.connect();
    CHECK(debuggee.act(late, [&] { world.begin(late); }));
    CHECK(suspend_count(debuggee, late) == 0);
    CHECK(debuggee.disconnect());
  }
}

TEST_CASE_FIXTURE(Commands, "ids that were not given out never reach the VM") {
  debuggee.connect();
  constexpr std::uint64_t kNonsense = 0x7fff12345678;
  const auto name =
      debuggee.ask<threads::NameReply>(threads::NameRequest{protocol::ThreadId{kNonsense}});
  CHECK((!name && name.error() == protocol::Error::kInvalidObject));
  const protocol::class_type::InvokeMethodRequest call{
      .type_id = protocol::ClassId{debuggee.id(world.type("Lshop/Item;")).raw},
      .thread = debuggee.id(main),
      .method_id = protocol::MethodId{kNonsense},
      .arguments = {},
      .options = {}};
  const auto called = debuggee.ask<protocol::class_type::InvokeMethodReply>(call);
  CHECK((!called && called.error() == protocol::Error::kInvalidMethodid));
  CHECK(debuggee.disconnect());
}

TEST_CASE_FIXTURE(
    Commands, "an object that nobody holds is collected in spite of its id, unless it is pinned") {
  namespace objects = protocol::object_reference;
  debuggee.connect();
  const auto first = debuggee.ask<vm::CreateStringReply>(vm::CreateStringRequest{"first"});
  const auto second = debuggee.ask<vm::CreateStringReply>(vm::CreateStringRequest{"second"});
  CHECK((first && second));
  CHECK(debuggee.ask<void>(objects::DisableCollectionRequest{second->string}));
  debuggee.on_agent_thread([&] { debuggee.vm().collect(); });
  const auto gone =
      debuggee.ask<objects::IsCollectedReply>(objects::IsCollectedRequest{first->string});
  const auto kept =
      debuggee.ask<objects::IsCollectedReply>(objects::IsCollectedRequest{second->string});
  CHECK((gone && gone->is_collected));
  CHECK((kept && !kept->is_collected));
  CHECK(debuggee.disconnect());
}

TEST_SUITE_END();

}  // namespace jvmdebug::tests
