// SPDX-License-Identifier: Apache-2.0
//
// The counting half of ThreadTable: suspend and resume, one and all. JVM TI suspends a thread when
// its count leaves 0 and resumes it when the count is 0 again. All of it runs on agent threads.
#include <algorithm>
#include <utility>

#include "agent/agent.h"
#include "agent/events/breakpoints.h"
#include "agent/events/sender.h"
#include "agent/ids/frame_ids.h"
#include "agent/threads/stepper.h"
#include "agent/threads/thread_table.h"

namespace jvmdebug::agent::threads {
namespace {

std::vector<jthread> references(const std::vector<Tracked>& threads) {
  std::vector<jthread> all;
  all.reserve(threads.size());
  for (const Tracked& thread : threads) {
    all.push_back(thread->thread);
  }
  return all;
}

// What SuspendThread said about a thread whose count is above 0 now.
void note_suspended(TrackedThread& thread, jvmtiError outcome) {
  // THREAD_SUSPENDED: not by us. A virtual thread may have been by SuspendAllVirtualThreads.
  thread.stopped = outcome == JVMTI_ERROR_NONE ||
                   (outcome == JVMTI_ERROR_THREAD_SUSPENDED && thread.virtual_thread);
  if (outcome == JVMTI_ERROR_THREAD_NOT_ALIVE) {
    thread.suspend_at_start = true;
  }
}

}  // namespace

Result<void> ThreadTable::suspend_locked(const Tracked& thread) {
  if (thread->suspend_count == 0) {
    const auto outcome = env_.suspend_thread(thread->thread);
    const jvmtiError code = outcome ? JVMTI_ERROR_NONE : outcome.error().code;
    if (code != JVMTI_ERROR_NONE && code != JVMTI_ERROR_THREAD_SUSPENDED &&
        code != JVMTI_ERROR_THREAD_NOT_ALIVE) {
      return std::unexpected(outcome.error());
    }
    note_suspended(*thread, code);
    if (std::ranges::find(unstarted_, thread) != unstarted_.end()) {
      // Nobody counted for it while all were suspended: it begins with what they have.
      thread->suspend_count = suspend_all_count_;
    }
  }
  ++thread->suspend_count;
  return {};
}

// A thread that stands in an event may leave it from now on, whether it has done so or not: it runs
// no more methods for the debugger, but for one that waits already.
void ThreadTable::may_leave(TrackedThread& thread) {
  if (!thread.next_invocation) {
    thread.may_invoke = false;
  }
}

void ThreadTable::resume_locked(const Tracked& thread) {
  if (thread->suspend_count == 0) {
    return;
  }
  if (--thread->suspend_count == 0) {
    may_leave(*thread);
    agent_.frame_ids().thread_resumed(thread->thread);
    if (std::exchange(thread->stopped, false)) {
      // Fails when the thread has ended meanwhile.
      (void)env_.resume_thread(thread->thread);
    }
    thread->changed.notify_all();
  }
}

// A thread that ended while it was suspended was kept, so that it was resumed once more. One that
// somebody else refers to stands in an event all the same (it meets a monitor on its way out, or
// runs the program's shutdown), and is to be suspended perhaps: it is found until it has left.
void ThreadTable::drop_ended(std::vector<Tracked>& gone) {
  std::erase_if(by_key_, [&](const auto& entry) {
    const Tracked& thread = entry.second;
    const bool is_gone = thread->ended && thread->suspend_count == 0 && thread.use_count() == 1;
    if (is_gone) {
      virtual_thread_ends_.heard(*entry.second);
      gone.push_back(entry.second);
    }
    return is_gone;
  });
}

Result<void> ThreadTable::suspend(jthread thread) {
  JVMDEBUG_CHECK(check_visible(thread));
  const auto tracked = track(thread);
  const std::scoped_lock lock(mutex_);
  return suspend_locked(tracked);
}

Result<void> ThreadTable::resume(jthread thread) {
  JVMDEBUG_CHECK(check_visible(thread));
  agent_.stepper().resuming();
  auto tracked = find(thread);
  if (!tracked && env_.jni().is_virtual_thread(thread)) {
    tracked = track(thread);
  }
  if (tracked) {
    std::vector<Tracked> gone;  // given up after the lock is left
    const std::scoped_lock lock(mutex_);
    resume_locked(tracked);
    if (tracked->suspend_count == 0 && tracked.use_count() == 2) {
      // One that did not live: nobody but the list knows it.
      std::erase(unstarted_, tracked);
    }
    if (tracked->ended) {
      tracked.reset();
      drop_ended(gone);
    }
  }
  agent_.breakpoints().resumed();
  agent_.sender().unblock();
  return {};
}

void ThreadTable::resume_quietly(const Tracked& thread) {
  const std::scoped_lock lock(mutex_);
  resume_locked(thread);
}

void ThreadTable::suspend_for_event(const Tracked& thread) {
  const std::scoped_lock lock(mutex_);
  // The thread waits for us in an event, so it lives and can be suspended.
  (void)suspend_locked(thread);
}

void ThreadTable::allow_invocations(const Tracked& thread) {
  const std::scoped_lock lock(mutex_);
  thread->reporting = false;
  thread->may_invoke = true;
}

void ThreadTable::stop_newcomer(const Tracked& thread) {
  const std::scoped_lock lock(mutex_);
  if (thread->suspend_count > 0 && !thread->stopped) {
    const auto outcome = env_.suspend_thread(thread->thread);
    note_suspended(*thread, outcome ? JVMTI_ERROR_NONE : outcome.error().code);
  }
}

Result<void> ThreadTable::track_present(const jvm::Jni& jni) {
  JVMDEBUG_ASSIGN(const auto threads, env_.get_all_threads());
  for (jthread thread : threads) {
    const auto owned = jni.adopt(thread);
    (void)track(thread);
  }
  return {};
}

void ThreadTable::suspend_together(std::vector<Tracked>& threads) {
  const auto list = references(threads);
  std::vector<jvmtiError> outcomes(list.size(), JVMTI_ERROR_NONE);
  if (list.empty() || !env_.suspend_thread_list(list, outcomes)) {
    return;
  }
  for (std::size_t index = 0; index < threads.size(); ++index) {
    TrackedThread& thread = *threads[index];
    if (outcomes[index] == JVMTI_ERROR_THREAD_NOT_ALIVE) {
      thread.ended =
          true;  // it was listed again after its last event; forgotten at the next resume
      thread.suspend_count = 0;
    } else {
      note_suspended(thread, outcomes[index]);
    }
  }
}

Result<void> ThreadTable::suspend_all() {
  const std::scoped_lock lock(mutex_);
  const bool virtual_threads = env_.has(jvm::Capability::kSupportVirtualThreads);
  if (virtual_threads) {
    JVMDEBUG_CHECK(env_.suspend_all_virtual_threads({}));
  }
  std::vector<Tracked> to_stop;
  for (const auto& [key, thread] : by_key_) {
    if (++thread->suspend_count > 1) {
      continue;
    }
    if (thread->virtual_thread) {
      thread->stopped = true;
    } else {
      to_stop.push_back(thread);
    }
  }
  suspend_together(to_stop);
  if (suspend_all_count_++ == 0) {
    agent_.objects().hold();
  }
  return {};
}

void ThreadTable::resume_together(std::vector<Tracked>& threads) {
  std::erase_if(threads, [](const Tracked& thread) { return !thread->stopped; });
  const auto list = references(threads);
  std::vector<jvmtiError> outcomes(list.size(), JVMTI_ERROR_NONE);
  if (!list.empty()) {
    // Codes of single threads say that they have ended meanwhile.
    (void)env_.resume_thread_list(list, outcomes);
  }
  for (const Tracked& thread : threads) {
    thread->stopped = false;
  }
}

// All virtual threads in one go, those that nobody knows included, but for known ones whose count
// is above 0. One by one the VM searches a list for each. False when the VM refuses.
bool ThreadTable::resume_virtual_threads() {
  if (!env_.has(jvm::Capability::kSupportVirtualThreads)) {
    return false;
  }
  std::vector<Tracked> staying;
  for (const auto& [key, thread] : by_key_) {
    if (thread->virtual_thread && thread->suspend_count > 0) {
      staying.push_back(thread);
    }
  }
  if (!env_.resume_all_virtual_threads(references(staying))) {
    // One of them has ended. So nobody is left behind, and those that stay are stopped once more.
    if (!env_.resume_all_virtual_threads({})) {
      return false;
    }
    suspend_together(staying);
  }
  for (const auto& [key, thread] : by_key_) {
    if (thread->virtual_thread && thread->suspend_count == 0) {
      thread->stopped = false;
    }
  }
  return true;
}

// Frame ids are of one suspension.
void ThreadTable::forget_frames(const std::vector<Tracked>& resumed, bool all) {
  if (all) {
    agent_.frame_ids().all_threads_resumed();
    return;
  }
  for (const Tracked& thread : resumed) {
    agent_.frame_ids().thread_resumed(thread->thread);
  }
}

Result<void> ThreadTable::resume_all() {
  agent_.stepper().resuming();
  {
    std::vector<Tracked> gone;  // given up after the lock is left
    const std::scoped_lock lock(mutex_);
    std::vector<Tracked> to_resume;
    bool all = true;
    for (const auto& [key, thread] : by_key_) {
      if (thread->suspend_count == 0) {
        continue;
      }
      --thread->suspend_count;
      if (thread->suspend_count == 0) {
        may_leave(*thread);
        to_resume.push_back(thread);
      }
      all &= thread->suspend_count == 0;
    }
    for (const Tracked& thread : unstarted_) {  // it may have begun since, and be suspended
      if (thread->suspend_count == 1) {
        to_resume.push_back(thread);
      }
      thread->suspend_count = std::max(0, thread->suspend_count - 1);
    }
    forget_frames(to_resume, all);
    if (suspend_all_count_ == 1) {
      agent_.objects().release_held();  // first: the program may collect as soon as it runs
      (void)resume_virtual_threads();   // refused: they are resumed with the others
    }
    {
      std::vector<Tracked> resumed = to_resume;
      resume_together(resumed);
    }
    suspend_all_count_ = std::max(0, suspend_all_count_ - 1);
    for (const Tracked& thread : to_resume) {
      thread->changed.notify_all();
    }
    to_resume.clear();
    drop_ended(gone);
  }
  agent_.breakpoints().resumed();
  agent_.sender().unblock();
  return {};
}

void ThreadTable::release_all() {
  // Given up after the lock is left: their ends call the VM and the socket.
  std::vector<Tracked> unstarted;
  std::vector<std::shared_ptr<Invocation>> dropped;
  std::vector<Tracked> gone;
  const std::scoped_lock lock(mutex_);
  for (const auto& [key, thread] : by_key_) {
    thread->suspend_count = 0;
    dropped.push_back(std::exchange(thread->next_invocation, nullptr));
    may_leave(*thread);
  }
  agent_.frame_ids().all_threads_resumed();
  agent_.objects().release_held();
  if (suspend_all_count_ > 0) {
    (void)resume_virtual_threads();  // refused: they are resumed with the others
  }
  std::vector<Tracked> to_resume;
  for (const auto& [key, thread] : by_key_) {
    if (thread->stopped) {
      to_resume.push_back(thread);
    }
  }
  for (const Tracked& thread : unstarted_) {  // it may have begun since, and be suspended
    thread->suspend_count = 0;
    to_resume.push_back(thread);
  }
  resume_together(to_resume);
  to_resume.clear();
  unstarted.swap(unstarted_);
  suspend_all_count_ = 0;
  for (const auto& [key, thread] : by_key_) {
    thread->changed.notify_all();
  }
  drop_ended(gone);
}

bool ThreadTable::forget_virtual() {
  if (agent_.options().include_virtual_threads) {
    return true;  // they are all known, whether there is a debugger or not
  }
  std::vector<Tracked> gone;
  bool all = true;
  const std::scoped_lock lock(mutex_);
  std::erase_if(by_key_, [&](const auto& entry) {
    const Tracked& known = entry.second;
    // One that stands in an event, or for which one is switched on, is kept.
    const bool needless = known.use_count() == 1 && known->applied_modes == 0;
    all &= needless || !known->virtual_thread;
    if (!needless || !known->virtual_thread) {
      return false;
    }
    // While the lock is held, so that it makes itself known again only after this. Fails when it
    // has ended.
    (void)env_.set_thread_local_storage(known->thread, nullptr);
    virtual_thread_ends_.give_up(*known);
    gone.push_back(known);
    return true;
  });
  virtual_thread_ends_.rest();
  return all;
}

}  // namespace jvmdebug::agent::threads
