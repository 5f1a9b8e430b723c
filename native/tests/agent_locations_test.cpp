// SPDX-License-Identifier: Apache-2.0
//
// Locations that a thread reaches more than once, and events that are limited to frames, in the
// fake VM: a breakpoint set where a step has stopped, frames popped from there, the modifier
// NearFrame.
#include <doctest/doctest.h>
#include <variant>

#include "codec/generated/event_request.h"
#include "codec/generated/stack_frame.h"
#include "codec/generated/thread_reference.h"
#include "tests/fake_vm/debuggee.h"
#include "tests/fake_vm/events.h"
#include "tests/in_vm.h"

namespace jvmdebug::tests {

using fake::at;
using fake::request_event;
using fake::sets;
using protocol::EventKind;
using protocol::SuspendPolicy;

namespace {

bool is_breakpoint(const protocol::event::Composite& set) {
  return set.events.size() == 1 &&
         std::holds_alternative<protocol::BreakpointEvent>(set.events.front());
}

struct Locations : InVm {
  [[nodiscard]] bool advance() const {
    return debuggee.act(main, [&] { world.advance(main); });
  }

  void resume() const {
    const protocol::thread_reference::ResumeRequest request{.thread = debuggee.id(main)};
    CHECK(debuggee.ask<void>(request));
    CHECK(debuggee.vm().wait_until_idle(main, 10'000));
  }

  void clear(EventKind kind, std::int32_t request) const {
    CHECK(debuggee.ask<void>(
        protocol::event_request::ClearRequest{.event_kind = kind, .request_id = request}));
  }

  // Lets the thread stop where a step has ended, and sets a breakpoint there afterwards.
  [[nodiscard]] std::int32_t stand_at_new_breakpoint() const {
    const auto step = request_event(debuggee, EventKind::kSingleStep, SuspendPolicy::kEventThread,
                                    {protocol::StepModifier{.thread = debuggee.id(main),
                                                            .size = protocol::StepSize::kMin,
                                                            .depth = protocol::StepDepth::kInto}});
    CHECK(advance());
    CHECK(sets(debuggee, 1).size() == 1);
    clear(EventKind::kSingleStep, step);
    const fake::Frame& here = main.frames.front();
    return request_event(debuggee, EventKind::kBreakpoint, SuspendPolicy::kEventThread,
                         {at(debuggee, *here.method, here.index)});
  }
};

}  // namespace

TEST_SUITE_BEGIN("vm");

TEST_CASE_FIXTURE(Locations,
                  "a breakpoint where a step has stopped is hit when frames were popped there") {
  debuggee.connect();
  fake::Method& method = *main.frames.front().method;
  CHECK(stand_at_new_breakpoint() != 0);
  const auto frames = debuggee.ask<protocol::thread_reference::FramesReply>(
      protocol::thread_reference::FramesRequest{
          .thread = debuggee.id(main), .start_frame = 0, .length = 1});
  CHECK((frames && frames->frames.size() == 1));
  CHECK(debuggee.ask<void>(protocol::stack_frame::PopFramesRequest{
      .thread = debuggee.id(main), .frame = frames->frames.front().frame_id}));
  resume();
  // Calls the method again; it reaches the same location for the first time.
  CHECK(debuggee.act(main, [&] { world.call(main, method); }));
  CHECK(advance());
  const auto all = sets(debuggee, 2);
  CHECK((all.size() == 2 && is_breakpoint(all.back())));
  CHECK(debuggee.disconnect());
}

TEST_CASE_FIXTURE(
    Locations,
    "a breakpoint that is set anew is hit, whatever was reported at its location before") {
  debuggee.connect();
  const jlocation last = main.frames.front().method->last;
  // Cleared while the thread goes on from there, so that it never reaches it.
  const auto first = stand_at_new_breakpoint();
  resume();
  clear(EventKind::kBreakpoint, first);
  CHECK(request_event(debuggee, EventKind::kBreakpoint, SuspendPolicy::kEventThread,
                      {at(debuggee, *main.frames.front().method, main.frames.front().index)}) != 0);
  for (jlocation steps = 0; steps <= last; ++steps) {
    CHECK(advance());
  }
  const auto all = sets(debuggee, 2);
  CHECK((all.size() == 2 && is_breakpoint(all.back())));
  CHECK(debuggee.disconnect());
}

TEST_CASE_FIXTURE(Locations,
                  "a request near a frame gives up when too many methods have returned elsewhere") {
  debuggee.connect();
  fake::Method& close = world.method("Lshop/Shop;", "close");
  const auto call_and_return = [&] {
    CHECK(debuggee.act(main, [&] {
      world.call(main, close);
      world.leave(main);
    }));
  };
  constexpr std::int32_t kBudget = 3;
  const protocol::thread_reference::SuspendRequest suspend{.thread = debuggee.id(main)};
  CHECK(debuggee.ask<void>(suspend));
  const auto request = request_event(
      debuggee, EventKind::kMethodExitWithReturnValue, SuspendPolicy::kNone,
      {protocol::NearFrameModifier{.thread = debuggee.id(main), .above = 0, .budget = kBudget}});
  CHECK(request != 0);
  resume();
  for (int calls = 0; calls < 3 * kBudget; ++calls) {
    call_and_return();
  }
  CHECK(debuggee.act(main, [&] { world.leave(main); }));  // its own frame: too late
  const auto all = sets(debuggee, 1);
  CHECK(debuggee.disconnect());
  CHECK((sets(debuggee, 1).size() == 1 && all.size() == 1));
  const auto* const told =
      std::get_if<protocol::NearFrameExhaustedEvent>(&all.front().events.front());
  CHECK((told != nullptr && told->request_id == request));
  CHECK(all.front().suspend_policy == SuspendPolicy::kNone);
}

TEST_CASE_FIXTURE(Locations,
                  "a request near a frame reports the return of that frame and none inside") {
  debuggee.connect();
  fake::Method& close = world.method("Lshop/Shop;", "close");
  const protocol::thread_reference::SuspendRequest suspend{.thread = debuggee.id(main)};
  CHECK(debuggee.ask<void>(suspend));
  CHECK(request_event(debuggee, EventKind::kMethodExit, SuspendPolicy::kNone,
                      {protocol::NearFrameModifier{
                          .thread = debuggee.id(main), .above = 0, .budget = 0}}) != 0);
  resume();
  CHECK(debuggee.act(main, [&] {
    world.call(main, close);
    world.leave(main);
    world.leave(main);
  }));
  CHECK(sets(debuggee, 1).size() == 1);
  CHECK(debuggee.disconnect());
  CHECK(sets(debuggee, 1).size() == 1);
}

TEST_SUITE_END();

}  // namespace jvmdebug::tests
