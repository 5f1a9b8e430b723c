// SPDX-License-Identifier: Apache-2.0
//
// The threads that the debugger can see: those that the agent tracks, each with its record
// (TrackedThread), and those that have not begun. The agent's own threads are hidden. Suspension
// owns how often a thread is suspended, Parking what it does in an event; both guard their part of
// the record by the lock of this registry.
//
// LOCKS. A thread of the debuggee takes the lock only for a moment and makes no JNI or JVM TI call
// while it holds it. So a thread that JVM TI has suspended never holds it, and the agent's threads
// may suspend and resume threads while they hold it. The same is true of every other lock of the
// agent that threads of the debuggee take. Those threads never use the id tables, whose monitor is
// held over JVM calls: ids are made on the agent's threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <ranges>
#include <unordered_map>
#include <vector>

#include <jvmti.h>

#include "agent/jvm/env.h"
#include "agent/jvm/jni.h"
#include "agent/locks/ranked_mutex.h"
#include "agent/threads/own_threads.h"
#include "agent/threads/tracked_thread.h"
#include "agent/threads/virtual_thread_ends.h"
#include "codec/result.h"

namespace jvmdebug::agent::threads {

class Suspension;

class ThreadRegistry {
 public:
  using Mutex = RankedMutex<Rank::kThreads>;
  // The held lock. A function that takes one as a parameter runs under the lock.
  using Lock = std::unique_lock<Mutex>;

  // `includes_virtual`: the option includevirtualthreads.
  ThreadRegistry(const jvm::Env& env, Suspension& suspension, bool includes_virtual);

  // --- for commands; on the agent's threads --------------------------------------------------

  // Returns INVALID_THREAD for one of our own threads.
  [[nodiscard]] Result<void> check_visible(jthread thread) const;
  // Returns the live platform threads except our own; with includevirtualthreads=y virtual threads
  // as well.
  [[nodiscard]] Result<std::vector<jvm::LocalRef<jthread>>> visible_threads(const jvm::Jni& jni);

  [[nodiscard]] Tracked find(jthread thread);
  // Finds the record of a thread, or begins to track the thread.
  [[nodiscard]] Tracked track(jthread thread);
  // Returns all tracked threads that have begun.
  [[nodiscard]] std::vector<Tracked> tracked() const;

  // Tracks, at VMInit, the platform threads that began before thread start events were enabled.
  // From then on each thread registers itself.
  [[nodiscard]] Result<void> track_present(const jvm::Jni& jni);
  // Drops the virtual threads that the debugger has used, after it has disconnected: a reference of
  // the agent keeps them from being collected (as HotSpot does with those that had an event). False
  // when one has not left its event yet.
  bool forget_virtual();

  [[nodiscard]] OwnThreads& own_threads() { return own_threads_; }

  [[nodiscard]] VirtualThreadEnds& virtual_thread_ends() { return virtual_thread_ends_; }

  // --- for events; on the thread itself ------------------------------------------------------

  // Returns the current thread's record, made if needed; null on one of our own threads. Returns
  // only when the thread may run: a thread that begins while the VM is suspended waits here.
  [[nodiscard]] Tracked enter(const jvm::Jni& jni, jthread thread);

  // Whether the current thread is the agent's own. Never waits, not even if the thread is to be
  // suspended.
  [[nodiscard]] bool is_own_thread() const { return key_of(nullptr) == OwnThreads::kKey; }

  // Like enter(), but only looks: null also for a thread that is not tracked.
  [[nodiscard]] Tracked current() const { return lookup(key_of(nullptr)); }

  // The same for another thread.
  [[nodiscard]] Tracked find_begun(jthread thread) const { return lookup(key_of(thread)); }

  // Called when the thread ends.
  void forget(const Tracked& thread);

  // --- for Suspension and Parking ------------------------------------------------------------
  [[nodiscard]] Lock lock() const { return Lock(mutex_); }

  [[nodiscard]] auto begun(const Lock& /*held*/) const { return std::views::values(by_key_); }

  // Finds a thread; null if it is not tracked, or has not begun.
  [[nodiscard]] Tracked find_begun(const Lock& held, jthread thread) const;

  [[nodiscard]] const std::vector<Tracked>& unstarted(const Lock& /*held*/) const {
    return unstarted_;
  }

  [[nodiscard]] std::vector<Tracked> take_unstarted(const Lock& held);
  void drop_unstarted(const Lock& held, const Tracked& thread);
  // The threads that are dropped go to `gone`, to be released without the lock.
  void drop_ended(const Lock& held, std::vector<Tracked>& gone);

 private:
  [[nodiscard]] std::uintptr_t key_of(jthread thread) const;
  [[nodiscard]] Tracked lookup(std::uintptr_t key) const;
  [[nodiscard]] Tracked create(const jvm::Jni& jni, jthread thread);
  [[nodiscard]] Tracked adopt_unstarted(const jvm::Jni& jni, jthread thread);
  void keep_unstarted(const Lock& held, const Tracked& thread, std::vector<Tracked>& gone);

  const jvm::Env& env_;
  Suspension& suspension_;
  const bool includes_virtual_;
  OwnThreads own_threads_;
  VirtualThreadEnds virtual_thread_ends_;
  mutable Mutex mutex_;
  std::unordered_map<std::uintptr_t, Tracked> by_key_;
  // Threads that the debugger named before they began or after they ended, without thread-local
  // storage.
  std::vector<Tracked> unstarted_;
  std::size_t look_through_unstarted_at_ = 64;
  std::uintptr_t next_key_ = OwnThreads::kKey + 1;
};

}  // namespace jvmdebug::agent::threads
