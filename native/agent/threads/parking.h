// SPDX-License-Identifier: Apache-2.0
//
// Threads of the debuggee in events that are reported: such a thread waits until the event is sent,
// parks while it is suspended, and runs there the methods that the debugger invokes. The state is
// TrackedThread::park_state, guarded by the lock of the ThreadRegistry:
//
//   state       the thread                         next state
//
//   kRunning    runs the program                   kReporting  begin_report()
//                                                  kPopping    run_to_pop()
//
//   kReporting  waits until its event is sent      kParked     was_reported(), by the sender
//                                                  kLeaving    park(): the event was not sent
//
//   kParked     stays; may be invoked,             kLeaving    resumed(): the suspend count is 0
//               interrupted and stopped            kCalled     call()
//                                                  kPopping    run_to_pop()
//
//   kCalled     runs a method when resumed         kInvoking   park()
//                                                  kLeaving    drop_invocation()
//
//   kInvoking   runs the method; events in it      kReporting  begin_report()
//               begin and end in this state        kLeaving    park(): the method has returned
//
//   kLeaving    leaves its event when its suspend  kRunning or kInvoking  park()
//               count is 0; cannot be invoked      kParked     was_reported(), after an invocation
//                                                  kPopping    run_to_pop()
//
//   kPopping    runs to the pop of a frame,        kRunning or kInvoking  park(), on its way
//               although it is suspended           kPopped     popped()
//
//   kPopped     stays at the next instruction      kPopping    run_to_pop(): the next frame
//                                                  kParked     was_reported()
//                                                  kLeaving    resumed()
//
// A thread that leaves its event by an exception of the agent goes back to kRunning or kInvoking
// from every state: leave().
#pragma once

#include <memory>

#include <jvmti.h>

#include "agent/jvm/env.h"
#include "agent/threads/reporter.h"
#include "agent/threads/thread_registry.h"
#include "codec/result.h"

namespace jvmdebug::agent::threads {

class Invoker;
class Suspension;

class Parking {
 public:
  struct Uses {
    const jvm::Env& env;
    ThreadRegistry& registry;
    Suspension& suspension;
    Invoker& invoker;
    Reporter& reporter;
  };

  explicit Parking(const Uses& uses);

  // --- on the thread itself ------------------------------------------------------------------

  // Called when an event is about to be sent; park() follows, and in any case leave().
  void begin_report(const Tracked& self);
  // Blocks while the thread is suspended, and runs the methods that the debugger invokes on it.
  void park(const jvm::Jni& jni, const Tracked& self);
  // Runs the methods that the debugger invokes on a thread that waits in Java. False when the
  // thread is to go on, which ends its event. `has_parked`: the thread returns from parking in
  // Java.
  [[nodiscard]] bool stays(const jvm::Jni& jni, const Tracked& self, bool has_parked);
  // Called when a frame was popped and the thread has reached the next instruction; the rest is as
  // for an event.
  void popped(const Tracked& self);
  void leave(const Tracked& self);

  // --- on agent threads ----------------------------------------------------------------------

  // Notes that the thread's event was sent, or its invocation answered; methods may be invoked on
  // it.
  void was_reported(const Tracked& thread);
  // Hands a method to the thread. INVALID_THREAD if the thread is not parked in an event, or if a
  // return was forced at `top`, because the thread would return from the invoked method.
  [[nodiscard]] Result<void> call(const Tracked& thread, const TopFrame& top,
                                  const std::shared_ptr<Invocation>& invocation);
  // Interrupts the thread, or throws the exception in it. If the thread is in an event, that
  // happens when it leaves the event.
  Result<void> interrupt(jthread thread);
  Result<void> stop(jthread thread, jobject throwable);
  // Wakes the thread after its state or suspend count has changed, with the lock held.
  void wake(const ThreadRegistry::Lock& held, const Tracked& thread);

  // Checks that the topmost frame of a suspended thread is what runs next; else OPAQUE_FRAME.
  [[nodiscard]] Result<void> check_may_pop(const Tracked& thread, const TopFrame& top);
  // Notes that the topmost frame will return when the thread runs.
  void return_forced(const Tracked& thread, const TopFrame& top);
  [[nodiscard]] bool is_parked(const Tracked& thread);
  // Whether the thread runs a method for the debugger.
  [[nodiscard]] bool is_invoking(const Tracked& thread);
  // Lets a suspended thread run until JVM TI has popped its frame, and suspends it again; INTERNAL
  // when that took too long.
  [[nodiscard]] Result<void> run_to_pop(const Tracked& thread);

  // --- for Suspension ------------------------------------------------------------------------

  // Called when the suspend count is 0: a thread in an event may leave it from now on. It runs no
  // more methods for the debugger except one that was already handed over.
  static void resumed(const ThreadRegistry::Lock& held, TrackedThread& thread);
  // Whether the thread runs a method that the debugger has invoked single threaded. Then the stop
  // goes on, even if the other threads are resumed meanwhile because the method waits for them.
  [[nodiscard]] static bool is_invoked_alone(const ThreadRegistry::Lock& held,
                                             const TrackedThread& thread);
  // Drops the invocation that was handed over, because the debugger has disconnected. Returns it,
  // to be released without the lock.
  [[nodiscard]] static std::shared_ptr<Invocation> drop_invocation(const ThreadRegistry::Lock& held,
                                                                   TrackedThread& thread);

 private:
  using Lock = ThreadRegistry::Lock;

  [[nodiscard]] static bool may_go(const TrackedThread& thread);
  void finish(const Tracked& self, Lock& held);
  void run_invocation(const jvm::Jni& jni, const Tracked& self, Lock& held);
  void deliver_pending(const Tracked& self, Lock& held);

  const Uses uses_;
  const jvm::Env& env_;
  ThreadRegistry& registry_;
};

}  // namespace jvmdebug::agent::threads
