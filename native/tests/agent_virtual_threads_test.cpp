// SPDX-License-Identifier: Apache-2.0
//
// Virtual threads that the debugger has seen, in the fake VM: the agent is notified of their ends,
// and releases them when the debugger disconnects. Otherwise its reference would keep them from
// being collected until the VM ends.
#include <algorithm>
#include <doctest/doctest.h>
#include <span>
#include <vector>

#include "codec/generated/thread_reference.h"
#include "tests/fake_vm/debuggee.h"
#include "tests/fake_vm/events.h"
#include "tests/in_vm.h"

namespace jvmdebug::tests {

using protocol::EventKind;
using protocol::SuspendPolicy;

namespace {

constexpr auto kVirtualThreadEnd = static_cast<jvmtiEvent>(88);
// More than get an end event for each thread separately.
constexpr std::size_t kManyThreads = 300;

void suspend(fake::Debuggee& debuggee, std::span<fake::Thread* const> threads) {
  for (const fake::Thread* const thread : threads) {
    const protocol::thread_reference::SuspendRequest request{.thread = debuggee.id(*thread)};
    CHECK(debuggee.ask<void>(request));
  }
}

bool is_known(const fake::Thread* thread) {
  return std::ranges::any_of(thread->storage,
                             [](const auto& stored) { return stored.second != nullptr; });
}

bool all_are_told(fake::Debuggee& debuggee) {
  return std::ranges::any_of(debuggee.vm().environments(), [](const auto& environment) {
    return environment->events.contains(kVirtualThreadEnd);
  });
}

std::ptrdiff_t asked_one_by_one(fake::Debuggee& debuggee) {
  std::ptrdiff_t count = 0;
  for (const auto& environment : debuggee.vm().environments()) {
    count += std::ranges::count(environment->by_thread, static_cast<int>(kVirtualThreadEnd),
                                [](const auto& wish) { return wish.first; });
  }
  return count;
}

std::size_t globals(fake::Debuggee& debuggee) {
  return debuggee.vm().count(fake::HandleKind::kGlobal);
}

struct VirtualThreads : InVm {
  fake::Thread& last = *world.threads().back();
};

// The same threads for all tests.
struct ManyThreads : InVm {
  const std::vector<fake::Thread*>& many = made(world);

 private:
  static const std::vector<fake::Thread*>& made(fake::World& world) {
    static const auto threads = world.make_virtual_threads(kManyThreads);
    return threads;
  }
};

}  // namespace

TEST_SUITE_BEGIN("vm-21");

TEST_CASE_FIXTURE(VirtualThreads,
                  "a virtual thread that the debugger looked at is let go with the debugger") {
  const std::size_t before = globals(debuggee);
  debuggee.connect();
  const protocol::thread_reference::SuspendRequest request{.thread = debuggee.id(last)};
  CHECK(debuggee.ask<void>(request));
  CHECK(last.suspended);
  CHECK(debuggee.disconnect());
  CHECK((!last.suspended && !is_known(&last)));
  CHECK(globals(debuggee) == before);
}

TEST_CASE_FIXTURE(VirtualThreads,
                  "one that stands in an event when the debugger goes is let go as well") {
  const std::size_t before = globals(debuggee);
  debuggee.connect();
  const fake::Frame& top = last.frames.front();
  CHECK(fake::request_event(debuggee, EventKind::kBreakpoint, SuspendPolicy::kAll,
                            {fake::at(debuggee, *top.method, top.index + 1)}) != 0);
  CHECK(debuggee.act(last, [&] { world.advance(last); }));
  CHECK(fake::sets(debuggee, 1).size() == 1);
  CHECK((last.suspended && is_known(&last)));
  CHECK(debuggee.disconnect());
  CHECK((!last.suspended && !is_known(&last)));
  CHECK(globals(debuggee) == before);
}

TEST_CASE_FIXTURE(
    ManyThreads, "the end event is enabled for all threads when many virtual threads are tracked") {
  const std::size_t before = globals(debuggee);
  debuggee.connect();
  suspend(debuggee, many);
  CHECK(std::ranges::all_of(many, is_known));
  CHECK((all_are_told(debuggee) && asked_one_by_one(debuggee) <= 256));
  // One with its own end event, and one that is reported by the event for all threads.
  for (fake::Thread* const ending : {many.front(), many.back()}) {
    const std::size_t with_it = globals(debuggee);
    const protocol::thread_reference::ResumeRequest resume{.thread = debuggee.id(*ending)};
    CHECK(debuggee.ask<void>(resume));
    CHECK(debuggee.act(*ending, [&] { world.end(*ending); }));
    CHECK(globals(debuggee) < with_it);
  }
  CHECK(debuggee.disconnect());
  CHECK(std::ranges::none_of(many, is_known));
  CHECK((!all_are_told(debuggee) && asked_one_by_one(debuggee) == 0));
  CHECK(globals(debuggee) == before);
}

TEST_CASE_FIXTURE(ManyThreads,
                  "virtual threads that an earlier debugger saw do not count for the next") {
  for (int debuggers = 0; debuggers < 4; ++debuggers) {
    debuggee.connect();
    suspend(debuggee, std::span(many).subspan(1, 100));
    CHECK((asked_one_by_one(debuggee) == 100 && !all_are_told(debuggee)));
    CHECK(debuggee.disconnect());
  }
}

TEST_SUITE_END();

}  // namespace jvmdebug::tests
