// SPDX-License-Identifier: Apache-2.0
//
// Events, in the fake VM: filters of requests, what belongs to one set, which threads are
// suspended, and an invocation in between.
#include <doctest/doctest.h>
#include <variant>

#include "agent/events/request_table.h"
#include "codec/generated/class_type.h"
#include "codec/generated/thread_reference.h"
#include "codec/generated/virtual_machine.h"
#include "tests/fake_vm/debuggee.h"
#include "tests/fake_vm/events.h"
#include "tests/in_vm.h"

namespace jvmdebug::tests {

using protocol::EventKind;
using protocol::SuspendPolicy;

using fake::at;
using fake::request_event;
using fake::sets;

namespace {

struct Events : InVm {
  fake::Thread& reader = *world.threads().at(2);

  [[nodiscard]] bool advance(fake::Thread& thread) const {
    return debuggee.act(thread, [&] { world.advance(thread); });
  }
};

}  // namespace

TEST_SUITE_BEGIN("vm");

TEST_CASE_FIXTURE(Events, "a breakpoint stops its thread, and all with policy ALL") {
  debuggee.connect();
  const fake::Method& method = *main.frames.front().method;
  CHECK(request_event(debuggee, EventKind::kBreakpoint, SuspendPolicy::kEventThread,
                      {at(debuggee, method, 1)}) != 0);
  CHECK(advance(main));
  CHECK(sets(debuggee, 1).size() == 1);
  CHECK((main.suspended && !reader.suspended));
  CHECK(request_event(debuggee, EventKind::kBreakpoint, SuspendPolicy::kAll,
                      {at(debuggee, method, 2)}) != 0);
  CHECK(debuggee.ask<void>(protocol::virtual_machine::ResumeRequest{}));
  CHECK(debuggee.vm().wait_until_idle(main, 10'000));
  CHECK(advance(main));
  const auto all = sets(debuggee, 2);
  CHECK((all.size() == 2 && all.back().suspend_policy == SuspendPolicy::kAll));
  CHECK((main.suspended && reader.suspended));
  CHECK(debuggee.disconnect());
}

TEST_CASE_FIXTURE(Events, "the requests of a breakpoint are looked up once for each hit") {
  debuggee.connect();
  const auto& requests = debuggee.agent().requests();
  const fake::Method& method = *main.frames.front().method;
  CHECK(request_event(debuggee, EventKind::kBreakpoint, SuspendPolicy::kEventThread,
                      {at(debuggee, method, 1)}) != 0);
  CHECK(request_event(debuggee, EventKind::kBreakpoint, SuspendPolicy::kNone,
                      {at(debuggee, method, 1)}) != 0);
  const auto before = requests.location_lookups();
  CHECK(advance(main));
  const auto all = sets(debuggee, 1);
  CHECK((all.size() == 1 && all.front().events.size() == 2));
  CHECK(debuggee.ask<void>(protocol::virtual_machine::ResumeRequest{}));
  CHECK(debuggee.vm().wait_until_idle(main, 10'000));
  CHECK(requests.location_lookups() - before == 1);
  CHECK(debuggee.disconnect());
}

TEST_CASE_FIXTURE(Events, "step and breakpoint at one location are one set") {
  debuggee.connect();
  CHECK(request_event(debuggee, EventKind::kSingleStep, SuspendPolicy::kNone,
                      {protocol::StepModifier{.thread = debuggee.id(main),
                                              .size = protocol::StepSize::kMin,
                                              .depth = protocol::StepDepth::kInto}}) != 0);
  CHECK(request_event(debuggee, EventKind::kBreakpoint, SuspendPolicy::kEventThread,
                      {at(debuggee, *main.frames.front().method, 1)}) != 0);
  CHECK(advance(main));
  const auto all = sets(debuggee, 1);
  CHECK((all.size() == 1 && all.front().events.size() == 2));
  CHECK(all.front().suspend_policy == SuspendPolicy::kEventThread);
  CHECK(std::holds_alternative<protocol::SingleStepEvent>(all.front().events.front()));
  CHECK(debuggee.disconnect());
}

TEST_CASE_FIXTURE(Events, "a count lets one event pass and ends the request") {
  debuggee.connect();
  const fake::Method& method = world.method("Lshop/Shop;", "close");
  CHECK(request_event(debuggee, EventKind::kMethodEntry, SuspendPolicy::kNone,
                      {protocol::ClassMatchModifier{"shop.*"}, protocol::CountModifier{2}}) != 0);
  for (int calls = 0; calls < 4; ++calls) {
    CHECK(debuggee.act(main, [&] { world.call(main, const_cast<fake::Method&>(method)); }));
  }
  CHECK(!sets(debuggee, 1).empty());  // what is not sent yet ends with the connection
  CHECK(debuggee.disconnect());
  CHECK(sets(debuggee, 1).size() == 1);
}

TEST_CASE_FIXTURE(Events, "filters by thread and by class leave the others out") {
  debuggee.connect();
  CHECK(request_event(debuggee, EventKind::kException, SuspendPolicy::kNone,
                      {protocol::ThreadOnlyModifier{debuggee.id(reader)}}) != 0);
  CHECK(request_event(debuggee, EventKind::kClassPrepare, SuspendPolicy::kNone,
                      {protocol::ClassExcludeModifier{"java.*"}}) != 0);
  CHECK(debuggee.act(main, [&] { world.raise(main); }));
  CHECK(debuggee.act(reader, [&] { world.raise(reader); }));
  CHECK(debuggee.act(main, [&] { world.prepare(main, world.type("Ljava/lang/Object;")); }));
  CHECK(debuggee.act(main, [&] { world.prepare(main, world.type("Lshop/Book;")); }));
  const auto all = sets(debuggee, 2);
  CHECK(debuggee.disconnect());
  CHECK(all.size() == 2);
  CHECK(std::holds_alternative<protocol::ExceptionEvent>(all.at(0).events.front()));
  CHECK(std::holds_alternative<protocol::ClassPrepareEvent>(all.at(1).events.front()));
}

TEST_CASE_FIXTURE(Events, "an event of a thread whose end was told holds it until it is resumed") {
  fake::Thread& late = world.latecomer();
  debuggee.connect();
  CHECK(debuggee.act(late, [&] { world.begin(late); }));
  CHECK(request_event(debuggee, EventKind::kMonitorContendedEnter, SuspendPolicy::kEventThread,
                      {}) != 0);
  // The events are sent late; in between the debugger resumes, and threads that have ended are
  // forgotten.
  CHECK(debuggee.ask<void>(protocol::virtual_machine::HoldEventsRequest{}));
  debuggee.vm().post(late, [&] { world.end(late, true); });
  CHECK(!debuggee.vm().wait_until_idle(late, 100));
  CHECK(debuggee.ask<void>(protocol::virtual_machine::SuspendRequest{}));
  CHECK(debuggee.ask<void>(protocol::virtual_machine::ResumeRequest{}));
  CHECK(debuggee.ask<void>(protocol::virtual_machine::ReleaseEventsRequest{}));
  CHECK(sets(debuggee, 1).size() == 1);
  CHECK(!debuggee.vm().wait_until_idle(late, 100));
  const protocol::thread_reference::ResumeRequest resume{.thread = debuggee.id(late)};
  CHECK(debuggee.ask<void>(resume));
  CHECK(debuggee.vm().wait_until_idle(late, 10'000));
  CHECK(debuggee.disconnect());
}

TEST_CASE_FIXTURE(Events, "a thread that is suspended while it begins runs again") {
  fake::Thread& late = world.latecomer();
  debuggee.connect();
  const protocol::thread_reference::SuspendRequest suspend{.thread = debuggee.id(late)};
  // The thread is known before it begins.
  CHECK(request_event(debuggee, EventKind::kThreadStart, SuspendPolicy::kNone,
                      {protocol::ThreadOnlyModifier{debuggee.id(late)}}) != 0);
  {
    const std::scoped_lock lock(debuggee.vm().mutex());
    late.life = fake::Life::kAlive;
  }
  CHECK(debuggee.ask<void>(suspend));
  CHECK(late.suspended);
  CHECK(debuggee.ask<void>(protocol::virtual_machine::ResumeRequest{}));
  CHECK(!late.suspended);
  CHECK(debuggee.ask<void>(suspend));
  CHECK(late.suspended);
  CHECK(debuggee.disconnect());
}

TEST_CASE_FIXTURE(Events,
                  "a method is invoked on a thread at an event, and the thread stands again") {
  debuggee.connect();
  CHECK(request_event(debuggee, EventKind::kBreakpoint, SuspendPolicy::kAll,
                      {at(debuggee, *main.frames.front().method, 1)}) != 0);
  CHECK(advance(main));
  CHECK(sets(debuggee, 1).size() == 1);
  const fake::Method& fail = world.method("Lshop/Item;", "fail");
  const auto called = debuggee.ask<protocol::class_type::InvokeMethodReply>(
      protocol::class_type::InvokeMethodRequest{
          .type_id = protocol::ClassId{debuggee.id(*fail.declaring).raw},
          .thread = debuggee.id(main),
          .method_id = fake::Debuggee::id(fail),
          .arguments = {},
          .options = {}});
  CHECK((called && !called->exception.id.is_null()));
  CHECK((main.suspended && reader.suspended));
  CHECK(debuggee.disconnect());
  CHECK((!main.suspended && !reader.suspended));
}

TEST_SUITE_END();

}  // namespace jvmdebug::tests
