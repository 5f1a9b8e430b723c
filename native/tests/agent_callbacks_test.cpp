// SPDX-License-Identifier: Apache-2.0
//
// The guard around the agent's JVM TI callbacks, in the fake VM: memory runs out at every
// allocation of each callback, and nothing crosses JVM TI, the program's pending exception stays,
// no thread stays suspended or counted at a breakpoint. After VMDeath a callback does nothing.
#include <doctest/doctest.h>
#include <functional>
#include <string_view>
#include <utility>
#include <vector>

#include "agent/events/breakpoints.h"
#include "codec/generated/thread_reference.h"
#include "codec/generated/virtual_machine.h"
#include "tests/fake_vm/debuggee.h"
#include "tests/fake_vm/events.h"
#include "tests/in_vm.h"

namespace jvmdebug::tests {
namespace {

using fake::at;
using fake::request_event;
using protocol::EventKind;
using protocol::SuspendPolicy;

// An action of a thread of the world, by the events that it causes.
struct Action {
  std::string_view name;
  fake::Thread* thread;
  std::function<void()> act;
  std::function<void()> prepare = [] {};  // not on that thread
};

std::vector<Action> actions(fake::Debuggee& debuggee) {
  fake::World& world = debuggee.world();
  fake::Thread& main = world.main();
  fake::Thread& late = world.latecomer();
  const auto field = [&] -> fake::Field& { return *world.type("Lshop/Item;").fields.front(); };
  return {
      {"single step, breakpoint", &main, [&] { world.advance(main); }},
      {"method entry", &main, [&] { world.call(main, world.method("Lshop/Shop;", "close")); }},
      {"method exit, frame pop", &main, [&] { world.leave(main); }},
      {"exception, exception catch", &main, [&] { world.raise(main); }},
      {"class prepare", &main, [&] { world.prepare(main, world.type("Lshop/Book;")); }},
      {"field access", &main, [&world, &main, field] { world.touch(main, field(), false); }},
      {"field modification", &main, [&world, &main, field] { world.touch(main, field(), true); }},
      {"monitor contended enter, entered", &main, [&] { world.meet_monitor(main, false); }},
      {"monitor wait, waited", &main, [&] { world.meet_monitor(main, true); }},
      {"thread start", &late, [&] { world.begin(late); }},
      {"thread end", &late, [&] { world.end(late); }},
      {"object free", &main, [&] { debuggee.vm().collect(); },
       [&] { (void)debuggee.id(debuggee.vm().add_object(world.type("Lshop/Item;"), false)); }},
  };
}

void ask_for_everything(fake::Debuggee& debuggee, SuspendPolicy policy) {
  fake::World& world = debuggee.world();
  const fake::Method& method = world.method("Lshop/Item;", "compare");
  (void)request_event(debuggee, EventKind::kBreakpoint, policy, {at(debuggee, method, 1)});
  (void)request_event(debuggee, EventKind::kSingleStep, policy,
                      {protocol::StepModifier{.thread = debuggee.id(world.main()),
                                              .size = protocol::StepSize::kMin,
                                              .depth = protocol::StepDepth::kOut}});
  const fake::Field& field = *world.type("Lshop/Item;").fields.front();
  for (const EventKind kind : {EventKind::kFieldAccess, EventKind::kFieldModification}) {
    (void)request_event(debuggee, kind, policy,
                        {protocol::FieldOnlyModifier{.type_id = debuggee.id(*field.declaring),
                                                     .field_id = fake::Debuggee::id(field)}});
  }
  for (const EventKind kind :
       {EventKind::kClassPrepare, EventKind::kMethodEntry, EventKind::kMethodExit,
        EventKind::kException, EventKind::kThreadStart, EventKind::kThreadDeath,
        EventKind::kMonitorContendedEnter, EventKind::kMonitorContendedEntered,
        EventKind::kMonitorWait, EventKind::kMonitorWaited, EventKind::kClassUnload}) {
    (void)request_event(debuggee, kind, policy, {});
  }
}

// What happened in the callbacks of one action.
struct Outcome {
  int callbacks = 0;
  bool out_of_memory = false;
  bool crossed = false;  // an exception left a callback
};

class CallbackTests {
 public:
  explicit CallbackTests(fake::Debuggee& debuggee)
      : debuggee_(debuggee), world_(debuggee.world()) {}

  // Lets memory run out at the first allocation, then at the second, and so on, until the action
  // completes.
  void run_out_of_memory(const Action& action, bool pending) {
    constexpr int kMany = 2000;
    const auto frames = action.thread->frames;
    bool complete = false;
    int callbacks = 0;
    for (int passing = 0; passing < kMany && !complete; ++passing) {
      action.prepare();
      const Outcome outcome = act(action, passing, pending);
      callbacks = outcome.callbacks;
      CHECK(!outcome.crossed);
      CHECK(at_rest(*action.thread));
      complete = !outcome.out_of_memory;
      go_back(action, frames);
    }
    CHECK((complete && callbacks > 0));
  }

  Outcome act(const Action& action, int passing, bool pending) {
    Outcome outcome;
    debuggee_.vm().around_callbacks = [&](const std::function<void()>& callback) {
      ++outcome.callbacks;
      fake::Thread& self = *fake::Vm::current();
      fake::Object* const before = std::exchange(self.exception, pending ? failure() : nullptr);
      try {
        const fake::OutOfMemory limit(passing);
        callback();
      } catch (...) {
        outcome.crossed = true;
      }
      outcome.out_of_memory |= fake::OutOfMemory::happened();
      outcome.crossed |= self.exception != (pending ? failure() : nullptr);
      self.exception = before;
    };
    debuggee_.vm().post(*action.thread, action.act);
    while (debuggee_.vm().wait_until_idle(*action.thread, 10'000) && action.thread->suspended) {
      CHECK(debuggee_.ask<void>(
          protocol::thread_reference::ResumeRequest{.thread = debuggee_.id(*action.thread)}));
    }
    debuggee_.vm().around_callbacks = nullptr;
    return outcome;
  }

 private:
  fake::Object* failure() {
    for (const auto& object : debuggee_.vm().objects()) {
      if (object->permanent && object->type->signature == "Lshop/Failure;") {
        return object.get();
      }
    }
    return nullptr;
  }

  // Whether the thread is neither in the event of a breakpoint nor suspended.
  bool at_rest(const fake::Thread& thread) {
    const agent::events::CodeLocation location{
        .method = reinterpret_cast<jmethodID>(&world_.method("Lshop/Item;", "compare")),
        .index = 1};
    return !thread.suspended && debuggee_.agent().breakpoints().threads_in_event(location) == 0;
  }

  void go_back(const Action& action, const std::vector<fake::Frame>& frames) {
    fake::Thread& thread = *action.thread;
    if (action.name == "thread start") {
      CHECK(debuggee_.act(thread, [&] { world_.end(thread); }));
    }
    if (action.name == "thread end") {
      CHECK(debuggee_.act(thread, [&] { world_.begin(thread); }));
    }
    const std::scoped_lock lock(debuggee_.vm().mutex());
    thread.frames = frames;
  }

  fake::Debuggee& debuggee_;
  fake::World& world_;
};

}  // namespace

TEST_SUITE_BEGIN("vm");

TEST_CASE_FIXTURE(InVm, "memory runs out in a callback, and nothing crosses JVM TI") {
  for (const bool pending : {false, true}) {
    for (const Action& action : actions(debuggee)) {
      CAPTURE(action.name);
      CAPTURE(pending);
      debuggee.connect();
      ask_for_everything(debuggee, SuspendPolicy::kEventThread);
      CallbackTests(debuggee).run_out_of_memory(action, pending);
      CHECK(debuggee.disconnect());
    }
  }
}

TEST_SUITE_END();

TEST_SUITE_BEGIN("vm-dead");

TEST_CASE_FIXTURE(InVm, "after VMDeath a callback asks for the agent and does nothing else") {
  debuggee.connect();
  ask_for_everything(debuggee, SuspendPolicy::kNone);
  CHECK(debuggee.act(main, [&] {
    (void)debuggee.vm().send_event(JVMTI_EVENT_VM_DEATH,
                                   [&](fake::Environment& env, void* callback) {
                                     reinterpret_cast<jvmtiEventVMDeath>(callback)(&env, &main.jni);
                                   });
  }));
  CHECK(debuggee.agent().vm_is_dead());
  int callbacks = 0;
  int more = 0;
  debuggee.vm().around_callbacks = [&](const std::function<void()>& callback) {
    const int before = fake::Vm::current()->calls;
    callback();
    ++callbacks;
    more += fake::Vm::current()->calls - before - 1;
  };
  for (const Action& action : actions(debuggee)) {
    CHECK(debuggee.act(*action.thread, action.act));
  }
  debuggee.vm().around_callbacks = nullptr;
  CHECK(callbacks > 0);
  CHECK(more == 0);
}

TEST_SUITE_END();

}  // namespace jvmdebug::tests
