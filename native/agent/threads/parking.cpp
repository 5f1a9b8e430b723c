// SPDX-License-Identifier: Apache-2.0
#include "agent/threads/parking.h"

#include <chrono>
#include <utility>

#include "agent/scope.h"
#include "agent/threads/invoker.h"
#include "agent/threads/suspension.h"

namespace jvmdebug::agent::threads {
namespace {

// The thread only has to leave our callback and reach the next instruction.
constexpr auto kArrivalTimeout = std::chrono::seconds{5};

// A virtual thread in a check waits in native code, with its carrier, for as long as the debugger
// is about to suspend all threads or to call another method, and while all are suspended. A short
// time: the others need the carrier, of which there are no more than processors.
constexpr auto kStaysNative = std::chrono::milliseconds{50};
constexpr auto kLooksAgain = std::chrono::milliseconds{25};

// The state of a thread outside of all reported events.
ParkState outside(const TrackedThread& thread) {
  return thread.invocations > 0 ? ParkState::kInvoking : ParkState::kRunning;
}

// Whether the thread is in an event and neither runs a method for the debugger nor is about to.
// Interrupts and exceptions for such a thread stay pending until it leaves the event.
bool is_in_event(const TrackedThread& thread) {
  return thread.park_state == ParkState::kParked || thread.park_state == ParkState::kReporting;
}

}  // namespace

Parking::Parking(const Uses& uses) : uses_(uses), env_(uses.env), registry_(uses.registry) {}

// --- on the thread itself ----------------------------------------------------------------------

void Parking::begin_report(const Tracked& self) {
  const Lock held = registry_.lock();
  if (self->park_state != ParkState::kPopping) {
    self->park_state = ParkState::kReporting;
  }
}

void Parking::leave(const Tracked& self) {
  const Lock held = registry_.lock();
  self->park_state = outside(*self);
}

void Parking::popped(const Tracked& self) {
  const Lock held = registry_.lock();
  self->park_state = ParkState::kPopped;
  self->changed.notify_all();
}

void Parking::park(const jvm::Jni& jni, const Tracked& self) {
  Lock held = registry_.lock();
  ParkState& state = self->park_state;
  if (state == ParkState::kReporting || state == outside(*self)) {
    state = ParkState::kLeaving;
  }
  while (true) {
    self->changed.wait(held, [&] { return may_go(*self); });
    if (state != ParkState::kCalled) {
      break;
    }
    run_invocation(jni, self, held);
  }
  finish(self, held);
}

bool Parking::stays(const jvm::Jni& jni, const Tracked& self, bool has_parked) {
  Lock held = registry_.lock();
  if (self->park_state == ParkState::kReporting || self->park_state == outside(*self)) {
    self->park_state = ParkState::kLeaving;
  }
  const auto now = std::chrono::steady_clock::now;
  auto until = now() + (has_parked ? std::chrono::milliseconds{0} : kStaysNative);
  while (true) {
    while (self->park_state == ParkState::kCalled) {
      run_invocation(jni, self, held);
      until = now() + kStaysNative;
    }
    if (may_go(*self)) {
      finish(self, held);
      return false;
    }
    // While all threads are suspended, no other thread needs its carrier, and a thread that is
    // parked in Java could not come back to run a method: a suspended carrier mounts no thread.
    if (!uses_.suspension.all_suspended(held) && now() >= until) {
      self->is_in_native_wait = false;
      return true;
    }
    (void)self->changed.wait_for(held, kLooksAgain, [&] { return may_go(*self); });
  }
}

bool Parking::may_go(const TrackedThread& thread) {
  return thread.suspend_count == 0 || thread.park_state == ParkState::kCalled ||
         thread.park_state == ParkState::kPopping;
}

void Parking::finish(const Tracked& self, Lock& held) {
  ParkState& state = self->park_state;
  if (std::exchange(state, outside(*self)) == ParkState::kPopping) {
    return;  // pending interrupts and exceptions wait until the debugger resumes it
  }
  if (std::exchange(self->returns_from, std::nullopt) || self->pending_stop) {
    self->last_reported = {};  // the instruction there does not run now
  }
  deliver_pending(self, held);
}

void Parking::run_invocation(const jvm::Jni& jni, const Tracked& self, Lock& held) {
  auto invocation = std::exchange(self->next_invocation, nullptr);
  // An interrupt or exception that is pending for the program must not reach the method or an event
  // inside it.
  bool interrupt = std::exchange(self->pending_interrupt, false);
  auto throwable = std::exchange(self->pending_stop, {});
  const jint frames_below = std::exchange(self->frames_below, invocation->frames_below);
  ++self->invocations;
  self->park_state = ParkState::kInvoking;
  const bool waits_in_java = self->waits_in_java.exchange(false);  // it runs as others do
  const jint shown_frames = self->shown_frames.exchange(0);
  held.unlock();
  {
    const AtExit returned([&] {
      held.lock();
      --self->invocations;
      self->shown_frames = shown_frames;
      self->waits_in_java = waits_in_java;
      self->park_state = ParkState::kLeaving;
      self->frames_below = frames_below;
      self->pending_interrupt |= interrupt;
      if (!self->pending_stop) {
        std::swap(self->pending_stop, throwable);
      }
      held.unlock();
    });
    interrupt |= uses_.invoker.clear_interrupt();
    uses_.invoker.run(jni, self, *invocation);
  }
  // Reported after the state is cleared, because the thread may be suspended from then on.
  // Releasing references calls the VM, so it is not done under the lock.
  uses_.invoker.report_result(self, std::move(invocation));
  throwable = {};
  held.lock();
}

// Delivers the pending interrupt and exception when the thread leaves its event.
void Parking::deliver_pending(const Tracked& self, Lock& held) {
  const bool interrupt = std::exchange(self->pending_interrupt, false);
  const auto throwable = std::exchange(self->pending_stop, {});
  held.unlock();
  // Neither call can fail for a running thread.
  if (interrupt) {
    (void)env_.interrupt_thread(self->thread);
  }
  if (throwable) {
    (void)env_.stop_thread(self->thread, throwable);
  }
}

// --- on agent threads --------------------------------------------------------------------------

void Parking::was_reported(const Tracked& thread) {
  const Lock held = registry_.lock();
  if (thread->park_state != ParkState::kPopping) {
    thread->park_state = ParkState::kParked;
  }
}

Result<void> Parking::call(const Tracked& thread, const TopFrame& top,
                           const std::shared_ptr<Invocation>& invocation) {
  const Lock held = registry_.lock();
  const bool called = thread->park_state == ParkState::kCalled;
  if ((!called && thread->park_state != ParkState::kParked) || thread->returns_from == top) {
    // The JDK's own agent returns this for a thread that is not in an event.
    return fail(protocol::Error::kInvalidThread);
  }
  if (called) {
    return fail(protocol::Error::kAlreadyInvoking);
  }
  invocation->frames_below = top.frames;
  thread->next_invocation = invocation;
  thread->invoked_alone = invocation->single_threaded;
  thread->park_state = ParkState::kCalled;
  wake(held, thread);
  return {};
}

void Parking::wake(const Lock& /*held*/, const Tracked& thread) {
  thread->changed.notify_all();
  if (!thread->waits_in_java) {
    return;
  }
  // Runs the program's scheduler, so it is not done under the lock.
  uses_.reporter.run_soon(
      [this, thread] {
        const jvm::Jni jni = env_.jni();
        const auto support = jni.find_class("java/util/concurrent/locks/LockSupport");
        const jmethodID unpark =
            support ? jni->GetStaticMethodID(support, "unpark", "(Ljava/lang/Thread;)V") : nullptr;
        if (unpark != nullptr) {
          jni->CallStaticVoidMethod(support, unpark, thread->thread.get());
        }
        (void)jni.clear_exception();
      },
      false);
}

Result<void> Parking::interrupt(jthread thread) {
  if (const auto tracked = registry_.find(thread)) {
    const Lock held = registry_.lock();
    if (is_in_event(*tracked)) {
      tracked->pending_interrupt = true;
      return {};
    }
  }
  return env_.interrupt_thread(thread);
}

Result<void> Parking::stop(jthread thread, jobject throwable) {
  if (const auto tracked = registry_.find(thread)) {
    auto kept = env_.jni().global(throwable);
    const Lock held = registry_.lock();
    if (is_in_event(*tracked)) {
      std::swap(tracked->pending_stop, kept);
      return {};
    }
  }
  return env_.stop_thread(thread, throwable);
}

// --- frames that are popped or made to return --------------------------------------------------

Result<void> Parking::check_may_pop(const Tracked& thread, const TopFrame& top) {
  const Lock held = registry_.lock();
  // Otherwise the thread runs other code first (the event is not sent yet, or it runs a method for
  // the debugger, or a return is forced), and the VM would pop a frame of that code.
  const bool invokes = thread->park_state == ParkState::kCalled ||
                       (thread->invocations > 0 && top.frames <= thread->frames_below);
  if (thread->park_state == ParkState::kReporting || invokes || thread->returns_from == top) {
    return fail(protocol::Error::kOpaqueFrame);
  }
  return {};
}

void Parking::return_forced(const Tracked& thread, const TopFrame& top) {
  const Lock held = registry_.lock();
  thread->returns_from = top;
}

bool Parking::is_invoking(const Tracked& thread) {
  const Lock held = registry_.lock();
  return thread->invocations > 0;
}

bool Parking::is_parked(const Tracked& thread) {
  const Lock held = registry_.lock();
  return thread->park_state == ParkState::kParked;
}

Result<void> Parking::run_to_pop(const Tracked& thread) {
  Lock held = registry_.lock();
  JVMDEBUG_CHECK(env_.resume_thread(thread->thread));
  thread->park_state = ParkState::kPopping;
  thread->changed.notify_all();
  const bool arrived = thread->changed.wait_for(
      held, kArrivalTimeout, [&] { return thread->park_state == ParkState::kPopped; });
  if (uses_.suspension.is_closed(held)) {
    return fail(protocol::Error::kVmDead);
  }
  // Suspended again in any case: the debugger did not resume it.
  const auto suspended = env_.suspend_thread(thread->thread);
  if (!arrived) {
    return fail(protocol::Error::kInternal);
  }
  if (!suspended) {
    return std::unexpected(suspended.error());
  }
  return {};
}

// --- for Suspension ----------------------------------------------------------------------------

void Parking::resumed(const Lock& /*held*/, TrackedThread& thread) {
  if (thread.park_state == ParkState::kParked || thread.park_state == ParkState::kPopped) {
    thread.park_state = ParkState::kLeaving;
  }
}

bool Parking::is_invoked_alone(const Lock& /*held*/, const TrackedThread& thread) {
  const bool is_invoked = thread.invocations > 0 || thread.park_state == ParkState::kCalled;
  return is_invoked && thread.invoked_alone;
}

std::shared_ptr<Invocation> Parking::drop_invocation(const Lock& /*held*/, TrackedThread& thread) {
  if (thread.park_state == ParkState::kCalled) {
    thread.park_state = ParkState::kLeaving;
  }
  return std::exchange(thread.next_invocation, nullptr);
}

}  // namespace jvmdebug::agent::threads
