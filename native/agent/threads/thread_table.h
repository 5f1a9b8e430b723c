// SPDX-License-Identifier: Apache-2.0
//
// Which threads there are for the debugger, and how often each is suspended. JVM TI does not count
// suspends, JDWP does; the rules are those of the JDK's own agent. The agent's own threads are
// known here as such: hidden, never suspended.
//
// LOCKS. One mutex guards all counts. A thread of the debuggee takes it only for a moment and makes
// no JNI or JVM TI call while it holds it; so a thread that JVM TI has suspended can never be
// stopped inside, and the agent's threads may suspend and resume while they hold it. The same
// holds for every other lock of the agent that threads of the debuggee take. They never use the
// id tables, whose monitor is held over JVM calls: ids are made on the agent's threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <unordered_map>
#include <vector>

#include <jvmti.h>

#include "agent/events/code_place.h"
#include "agent/jvm/env.h"
#include "agent/jvm/jni.h"
#include "agent/threads/tracked_thread.h"
#include "agent/threads/virtual_thread_ends.h"
#include "codec/result.h"

namespace jvmdebug::agent {
class Agent;
}

namespace jvmdebug::agent::threads {

using Tracked = std::shared_ptr<TrackedThread>;

// A place in code and how many threads stand there.
struct OccupiedPlace {
  events::CodePlace place;
  std::size_t threads = 0;
};

class ThreadTable {
 public:
  explicit ThreadTable(Agent& agent);

  // --- for commands; called on the agent's threads -------------------------------------------

  // THREAD_NOT_SUSPENDED, or INVALID_THREAD for one of our own. What every command on a stack asks.
  [[nodiscard]] Result<void> check_suspended(jthread thread);
  // INVALID_THREAD for one of our own.
  [[nodiscard]] Result<void> check_visible(jthread thread);

  [[nodiscard]] bool is_suspended(jthread thread) { return suspend_count(thread) > 0; }

  [[nodiscard]] int suspend_count(jthread thread);
  [[nodiscard]] bool is_agent_thread(jthread thread) const;
  // Live platform threads but for our own; with includevirtualthreads=y virtual threads as well.
  [[nodiscard]] Result<std::vector<jvm::LocalRef<jthread>>> visible_threads(const jvm::Jni& jni);

  Result<void> suspend(jthread thread);
  Result<void> resume(jthread thread);
  Result<void> suspend_all();
  Result<void> resume_all();
  // Interrupts the thread, or throws the exception in it: when it goes on, if it stands in an
  // event.
  Result<void> interrupt(jthread thread);
  Result<void> stop(jthread thread, jobject throwable);
  // The debugger has gone: every count goes to 0, invocations that have not begun are dropped.
  void release_all();
  // After that: the virtual threads that it looked at need not be known, and an agent that refers
  // to them keeps them from being collected (as HotSpot does with those that had an event). False:
  // one has not left its event yet.
  bool forget_virtual();

  // At VMInit: the platform threads that began before the agent heard of starts. From then on each
  // thread makes itself known.
  [[nodiscard]] Result<void> track_present(const jvm::Jni& jni);

  // --- our own threads -----------------------------------------------------------------------

  // Starts a daemon thread of the VM that runs `body`, which must not throw; it is hidden from the
  // debugger. The live phase.
  Result<void> start_agent_thread(const jvm::Jni& jni, const char* name,
                                  std::function<void()> body);

  // --- for events; called on the thread itself -----------------------------------------------

  // The current thread's record, made if needed; null on one of our own threads. Returns only when
  // the thread may run: one that begins while the VM is suspended is stopped here.
  [[nodiscard]] Tracked enter(const jvm::Jni& jni, jthread thread);

  // As enter(), but only looks: null also for a thread that is not tracked.
  [[nodiscard]] Tracked current() const { return lookup(key_of(nullptr)); }

  // The thread is ending.
  void forget(const Tracked& thread);
  // An event of the thread is about to be sent; park() follows, unless sending fails.
  void set_reporting(const Tracked& self, bool reporting);
  // Stays while the thread is suspended, and runs the methods that the debugger invokes on it.
  void park(const jvm::Jni& jni, const Tracked& self);

  // --- for the sender, on its thread ---------------------------------------------------------
  void suspend_for_event(const Tracked& thread);
  void allow_invocations(const Tracked& thread);
  // Suspends, in truth, a thread that began while its count was above 0.
  void stop_newcomer(const Tracked& thread);

  // --- for the parts beside it: invoker, stepper, frame popper -------------------------------
  [[nodiscard]] Tracked find(jthread thread);
  // Finds or begins to track.
  [[nodiscard]] Tracked track(jthread thread);

  [[nodiscard]] std::mutex& mutex() { return mutex_; }

  [[nodiscard]] VirtualThreadEnds& virtual_thread_ends() { return virtual_thread_ends_; }

  // Holds every thread for a moment, which the debugger does not see, and calls `body` for those of
  // the places where no more threads stand than `may_stay` says. Returns the others at which a
  // thread stands that goes on by itself; nothing when the threads could not be held. Agent
  // threads.
  [[nodiscard]] std::optional<std::vector<OccupiedPlace>> while_nobody_is_at(
      const std::vector<events::CodePlace>& places,
      const std::function<std::size_t(const events::CodePlace&)>& may_stay,
      const std::function<void(const events::CodePlace&)>& body);

  // Takes one suspend off without telling that the debugger has resumed something.
  void resume_quietly(const Tracked& thread);
  // Known threads, for steps and modes.
  [[nodiscard]] std::vector<Tracked> tracked() const;

 private:
  class Standstill;

  [[nodiscard]] std::uintptr_t key_of(jthread thread) const;
  [[nodiscard]] Tracked lookup(std::uintptr_t key) const;
  [[nodiscard]] Tracked create(const jvm::Jni& jni, jthread thread);
  [[nodiscard]] Tracked adopt_unstarted(const jvm::Jni& jni, jthread thread);
  void disturb(const Tracked& self, std::unique_lock<std::mutex>& lock);
  [[nodiscard]] bool is_own(const jvm::Jni& jni, jthread thread) const;
  void keep_unstarted(const Tracked& thread, std::vector<Tracked>& gone);
  void wait_to_start(const Tracked& self);
  Result<void> suspend_locked(const Tracked& thread);
  void resume_locked(const Tracked& thread);
  static void may_leave(TrackedThread& thread);
  // Those that are dropped go to `gone`, to be given up without the lock.
  void drop_ended(std::vector<Tracked>& gone);
  void forget_frames(const std::vector<Tracked>& resumed, bool all);
  void suspend_together(std::vector<Tracked>& threads);
  void resume_together(std::vector<Tracked>& threads);
  bool resume_virtual_threads();

  using OwnThreads = std::vector<std::shared_ptr<const jvm::GlobalRef<jobject>>>;

  Agent& agent_;
  const jvm::Env& env_;
  VirtualThreadEnds virtual_thread_ends_;
  mutable std::mutex mutex_;
  std::unordered_map<std::uintptr_t, Tracked> by_key_;
  std::shared_ptr<const OwnThreads> own_threads_ = std::make_shared<const OwnThreads>();
  // Named by the debugger before they lived, or after: no thread-local storage.
  std::vector<Tracked> unstarted_;
  std::size_t look_through_unstarted_at_ = 64;
  std::uintptr_t next_key_ = 2;  // 0: not tracked, 1: one of ours
  int suspend_all_count_ = 0;
};

}  // namespace jvmdebug::agent::threads
