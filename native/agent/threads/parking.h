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
// A thread that leaves its event by an exception of the agent's goes back to kRunning or kInvoking
// from every state: leave().
#pragma once

#include <memory>

#include <jvmti.h>

#include "agent/jvm/env.h"
#include "agent/threads/thread_registry.h"
#include "codec/result.h"

namespace jvmdebug::agent::threads {

class Parking {
 public:
  explicit Parking(Agent& agent);

  // --- on the thread itself ------------------------------------------------------------------

  // An event is about to be sent; park() follows, and in any case leave().
  void begin_report(const Tracked& self);
  // Stays while the thread is suspended, and runs the methods that the debugger invokes on it.
  void park(const jvm::Jni& jni, const Tracked& self);
  // Runs the methods that the debugger invokes on a thread that waits in Java; false when
  // it is to go on, which ends its event. `has_parked`: it comes back from there.
  [[nodiscard]] bool stays(const jvm::Jni& jni, const Tracked& self, bool has_parked);
  // A frame was popped and the thread has come to the next instruction; the rest as for an event.
  void popped(const Tracked& self);
  void leave(const Tracked& self);

  // --- on agent threads ----------------------------------------------------------------------

  // Notes that its event was sent, or the invocation answered: the thread may be invoked.
  void was_reported(const Tracked& thread);
  // Hands over a method. INVALID_THREAD for a thread that is not parked in an event, or that was
  // made to return at `top`: it would return from the method.
  [[nodiscard]] Result<void> call(const Tracked& thread, const TopFrame& top,
                                  const std::shared_ptr<Invocation>& invocation);
  // Interrupts the thread, or throws the exception in it: when it leaves its event, if it is in
  // one.
  Result<void> interrupt(jthread thread);
  Result<void> stop(jthread thread, jobject throwable);
  // The state or the suspend count has changed, with the lock held.
  void wake(const ThreadRegistry::Lock& held, const Tracked& thread);

  // Whether the topmost frame of a suspended thread is what runs next; else OPAQUE_FRAME.
  [[nodiscard]] Result<void> check_may_pop(const Tracked& thread, const TopFrame& top);
  // The topmost frame was made to return when the thread runs.
  void return_forced(const Tracked& thread, const TopFrame& top);
  [[nodiscard]] bool is_parked(const Tracked& thread);
  // Whether it runs a method for the debugger.
  [[nodiscard]] bool is_invoking(const Tracked& thread);
  // Lets a suspended thread, of which JVM TI is to pop a frame, run until that is done, and
  // suspends it again; INTERNAL when that took too long.
  [[nodiscard]] Result<void> run_to_pop(const Tracked& thread);

  // --- for Suspension ------------------------------------------------------------------------

  // The suspend count is 0: a thread in an event may leave it from now on, and runs no more methods
  // for the debugger but the one that is handed over already.
  static void resumed(const ThreadRegistry::Lock& held, TrackedThread& thread);
  // Whether it runs a method that the debugger has invoked on it alone: then the stop goes on, even
  // if the other threads are resumed meanwhile because the method waits for them.
  [[nodiscard]] static bool is_invoked_alone(const ThreadRegistry::Lock& held,
                                             const TrackedThread& thread);
  // The debugger has disconnected. Returns the invocation that was handed over, to be released
  // without the lock.
  [[nodiscard]] static std::shared_ptr<Invocation> drop_invocation(const ThreadRegistry::Lock& held,
                                                                   TrackedThread& thread);

 private:
  using Lock = ThreadRegistry::Lock;

  [[nodiscard]] static bool may_go(const TrackedThread& thread);
  void finish(const Tracked& self, Lock& held);
  void run_invocation(const jvm::Jni& jni, const Tracked& self, Lock& held);
  void deliver_pending(const Tracked& self, Lock& held);

  Agent& agent_;
  const jvm::Env& env_;
  ThreadRegistry& registry_;
};

}  // namespace jvmdebug::agent::threads
