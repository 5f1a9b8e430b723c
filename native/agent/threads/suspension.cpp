// SPDX-License-Identifier: Apache-2.0
#include "agent/threads/suspension.h"

#include <algorithm>
#include <utility>

#include "agent/threads/parking.h"
#include "agent/threads/stepper.h"

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

// Records what SuspendThread returned for a thread whose count is now above 0.
void note_suspended(TrackedThread& thread, jvmtiError outcome) {
  // THREAD_SUSPENDED: not by us, except that SuspendAllVirtualThreads may have suspended a virtual
  // thread.
  const bool by_us = outcome == JVMTI_ERROR_NONE ||
                     (outcome == JVMTI_ERROR_THREAD_SUSPENDED && thread.virtual_thread);
  if (by_us) {
    thread.suspend_state = SuspendState::kJvmti;
  } else if (outcome == JVMTI_ERROR_THREAD_NOT_ALIVE) {
    thread.suspend_state = SuspendState::kAtNextEvent;
  } else if (thread.suspend_state == SuspendState::kJvmti) {
    thread.suspend_state = SuspendState::kNone;
  }
}

// Returns whether JVM TI has to resume the thread now.
bool clear_jvmti_suspend(TrackedThread& thread) {
  if (thread.suspend_state != SuspendState::kJvmti) {
    return false;
  }
  thread.suspend_state = SuspendState::kNone;
  return true;
}

}  // namespace

Suspension::Suspension(const Uses& uses) : uses_(uses), env_(uses.env), registry_(uses.registry) {}

Result<void> Suspension::check_suspended(jthread thread) {
  JVMDEBUG_CHECK(registry_.check_visible(thread));
  if (!is_suspended(thread)) {
    return fail(protocol::Error::kThreadNotSuspended);
  }
  return {};
}

int Suspension::count_of(jthread thread) {
  if (const auto tracked = registry_.find(thread)) {
    const Lock held = registry_.lock();
    const auto& unstarted = registry_.unstarted(held);
    if (tracked->suspend_count > 0 || std::ranges::find(unstarted, tracked) == unstarted.end()) {
      return tracked->suspend_count;
    }
  }
  // A virtual thread that was not tracked, or a thread that is about to begin, has the count of all
  // threads.
  const auto state = env_.get_thread_state(thread);
  const bool alive = state && (*state & JVMTI_THREAD_STATE_ALIVE) != 0;
  const Lock held = registry_.lock();
  return alive ? all_count_ : 0;
}

bool Suspension::holds_threads() const {
  const auto tracked = registry_.tracked();
  const Lock held = registry_.lock();
  return all_count_ > 0 ||
         std::ranges::any_of(tracked, [](const Tracked& each) { return each->suspend_count > 0; });
}

// --- one thread ------------------------------------------------------------------------------

Result<void> Suspension::suspend(const Lock& held, const Tracked& thread) {
  if (is_closed_) {
    return fail(protocol::Error::kVmDead);
  }
  if (thread->suspend_count == 0) {
    const auto outcome = env_.suspend_thread(thread->thread);
    const jvmtiError code = outcome ? JVMTI_ERROR_NONE : outcome.error().code;
    if (code != JVMTI_ERROR_NONE && code != JVMTI_ERROR_THREAD_SUSPENDED &&
        code != JVMTI_ERROR_THREAD_NOT_ALIVE) {
      return std::unexpected(outcome.error());
    }
    note_suspended(*thread, code);
    const auto& unstarted = registry_.unstarted(held);
    if (std::ranges::find(unstarted, thread) != unstarted.end()) {
      // It was not counted while all were suspended, so it begins with the count of all.
      thread->suspend_count = all_count_;
    }
  }
  ++thread->suspend_count;
  return {};
}

void Suspension::resume(const Lock& held, const Tracked& thread) {
  if (thread->suspend_count == 0) {
    return;
  }
  if (--thread->suspend_count == 0) {
    Parking::resumed(held, *thread);
    uses_.frame_ids.thread_resumed(thread->thread);
    if (clear_jvmti_suspend(*thread)) {
      // Fails when the thread has ended meanwhile.
      (void)env_.resume_thread(thread->thread);
    }
    uses_.parking.wake(held, thread);
  }
}

Result<void> Suspension::suspend(jthread thread) {
  JVMDEBUG_CHECK(registry_.check_visible(thread));
  const auto tracked = registry_.track(thread);
  return suspend(registry_.lock(), tracked);
}

Result<void> Suspension::resume(jthread thread) {
  JVMDEBUG_CHECK(registry_.check_visible(thread));
  uses_.stepper.resuming();
  auto tracked = registry_.find(thread);
  if (!tracked && env_.jni().is_virtual_thread(thread)) {
    tracked = registry_.track(thread);
  }
  if (tracked) {
    std::vector<Tracked> gone;  // released without the lock
    const Lock held = registry_.lock();
    resume(held, tracked);
    if (tracked->suspend_count == 0 && tracked.use_count() == 2) {
      // The thread was not alive; only the list of unstarted threads has it.
      registry_.drop_unstarted(held, tracked);
    }
    if (tracked->ended) {
      tracked.reset();
      registry_.drop_ended(held, gone);
    }
  }
  uses_.breakpoints.resumed();
  uses_.reporter.unblock();
  return {};
}

void Suspension::resume_quietly(const Tracked& thread) {
  resume(registry_.lock(), thread);
}

Result<void> Suspension::suspend_for_event(const Tracked& thread) {
  const Lock held = registry_.lock();
  if (is_closed_) {
    return fail(protocol::Error::kVmDead);
  }
  if (thread->waits_in_java && thread->suspend_count == 0) {
    // If JVM TI suspended the thread before it has parked, it would hold its carrier.
    ++thread->suspend_count;
    thread->suspend_state = SuspendState::kJvmti;
    return {};
  }
  // The thread waits in an event, so it is alive and can be suspended.
  return suspend(held, thread);
}

// --- threads that the registry begins to track -------------------------------------------------

void Suspension::join(const Lock& /*held*/, TrackedThread& thread) const {
  if (all_count_ > 0) {
    // All virtual threads were suspended at once, including those that were not tracked. A platform
    // thread that is not tracked yet is about to begin, and is stopped there.
    thread.suspend_count = all_count_;
    thread.suspend_state =
        thread.virtual_thread ? SuspendState::kJvmti : SuspendState::kAtNextEvent;
  }
}

void Suspension::join_at_event(const Lock& /*held*/, TrackedThread& thread) const {
  thread.suspend_count = std::max(thread.suspend_count, all_count_);
  // A thread that JVM TI has suspended stops by itself at its next call into the VM.
  if (thread.suspend_state != SuspendState::kJvmti) {
    thread.suspend_state =
        thread.suspend_count > 0 ? SuspendState::kAtNextEvent : SuspendState::kNone;
  }
}

void Suspension::wait_at_event(const Tracked& self) {
  {
    const Lock held = registry_.lock();
    if (self->suspend_state != SuspendState::kAtNextEvent) {
      return;
    }
  }
  // Another thread suspends it by JVM TI, so that its stack can be read.
  uses_.reporter.run_soon([this, self] { suspend_now(self); }, true);
  Lock held = registry_.lock();
  self->changed.wait(held, [&] { return self->suspend_count == 0; });
  if (self->suspend_state == SuspendState::kAtNextEvent) {
    self->suspend_state = SuspendState::kNone;
  }
}

void Suspension::suspend_now(const Tracked& thread) {
  const Lock held = registry_.lock();
  if (!is_closed_ && thread->suspend_count > 0 && thread->suspend_state != SuspendState::kJvmti) {
    const auto outcome = env_.suspend_thread(thread->thread);
    note_suspended(*thread, outcome ? JVMTI_ERROR_NONE : outcome.error().code);
  }
}

void Suspension::suspend_again(const Tracked& thread) {
  const Lock held = registry_.lock();
  if (!is_closed_ && thread->suspend_count > 0 && env_.suspend_thread(thread->thread)) {
    thread->suspend_state = SuspendState::kJvmti;
  }
}

// --- all threads -----------------------------------------------------------------------------

void Suspension::suspend_together(std::vector<Tracked>& threads) {
  const auto list = references(threads);
  std::vector<jvmtiError> outcomes(list.size(), JVMTI_ERROR_NONE);
  if (list.empty() || !env_.suspend_thread_list(list, outcomes)) {
    return;
  }
  for (std::size_t index = 0; index < threads.size(); ++index) {
    TrackedThread& thread = *threads[index];
    if (outcomes[index] == JVMTI_ERROR_THREAD_NOT_ALIVE) {
      // It was listed again after its last event, and is dropped at the next resume.
      thread.ended = true;
      thread.suspend_count = 0;
    } else {
      note_suspended(thread, outcomes[index]);
    }
  }
}

void Suspension::resume_together(std::vector<Tracked>& threads) {
  std::erase_if(threads, [](const Tracked& thread) { return !clear_jvmti_suspend(*thread); });
  const auto list = references(threads);
  std::vector<jvmtiError> outcomes(list.size(), JVMTI_ERROR_NONE);
  if (!list.empty()) {
    // An error code of a single thread means that it has ended meanwhile.
    (void)env_.resume_thread_list(list, outcomes);
  }
}

// Resumes all virtual threads at once, also those that are not tracked, except tracked ones whose
// count is above 0. If they were resumed one by one, the VM would search a list for each. False
// when the VM refuses.
bool Suspension::resume_virtual_threads(const Lock& held) {
  if (!env_.has(jvm::Capability::kSupportVirtualThreads)) {
    return false;
  }
  std::vector<Tracked> staying;
  for (const Tracked& thread : registry_.begun(held)) {
    if (thread->virtual_thread && thread->suspend_count > 0) {
      staying.push_back(thread);
    }
  }
  if (!env_.resume_all_virtual_threads(references(staying))) {
    // One of them has ended. So all are resumed, and those that must stay suspended are suspended
    // again.
    if (!env_.resume_all_virtual_threads({})) {
      return false;
    }
    suspend_together(staying);
  }
  for (const Tracked& thread : registry_.begun(held)) {
    if (thread->virtual_thread && thread->suspend_count == 0) {
      (void)clear_jvmti_suspend(*thread);
    }
  }
  return true;
}

Result<void> Suspension::suspend_all() {
  const Lock held = registry_.lock();
  if (is_closed_) {
    return fail(protocol::Error::kVmDead);
  }
  if (env_.has(jvm::Capability::kSupportVirtualThreads)) {
    JVMDEBUG_CHECK(env_.suspend_all_virtual_threads({}));
  }
  std::vector<Tracked> to_suspend;
  for (const Tracked& thread : registry_.begun(held)) {
    if (++thread->suspend_count > 1) {
      continue;
    }
    if (thread->virtual_thread) {
      thread->suspend_state = SuspendState::kJvmti;
    } else {
      to_suspend.push_back(thread);
    }
  }
  suspend_together(to_suspend);
  if (all_count_++ == 0) {
    uses_.objects.begin_retaining();
  }
  return {};
}

// Drops frame ids, which are valid for one suspension only.
void Suspension::forget_frames(const std::vector<Tracked>& resumed, bool all) {
  if (all) {
    uses_.frame_ids.all_threads_resumed();
    return;
  }
  for (const Tracked& thread : resumed) {
    uses_.frame_ids.thread_resumed(thread->thread);
  }
}

// Decrements every count. Returns the threads that may run now.
std::vector<Tracked> Suspension::count_down(const Lock& held) {
  std::vector<Tracked> to_resume;
  bool all = true;
  for (const Tracked& thread : registry_.begun(held)) {
    if (thread->suspend_count == 0) {
      continue;
    }
    --thread->suspend_count;
    if (thread->suspend_count == 0) {
      Parking::resumed(held, *thread);
      to_resume.push_back(thread);
    }
    all &= thread->suspend_count == 0;
  }
  for (const Tracked& thread : registry_.unstarted(held)) {  // it may have begun since
    if (thread->suspend_count == 1) {
      to_resume.push_back(thread);
    }
    thread->suspend_count = std::max(0, thread->suspend_count - 1);
  }
  forget_frames(to_resume, all);
  return to_resume;
}

Result<void> Suspension::resume_all() {
  uses_.stepper.resuming();
  {
    std::vector<Tracked> gone;  // released without the lock
    const Lock held = registry_.lock();
    std::vector<Tracked> to_resume = count_down(held);
    const bool stop_goes_on = std::ranges::any_of(
        registry_.begun(held),
        [&](const Tracked& thread) { return Parking::is_invoked_alone(held, *thread); });
    if (all_count_ <= 1 && !stop_goes_on) {
      uses_.objects.end_retaining();  // first: the program may collect as soon as it runs
    }
    if (all_count_ == 1) {
      (void)resume_virtual_threads(held);  // refused: they are resumed with the others
    }
    {
      std::vector<Tracked> resumed = to_resume;
      resume_together(resumed);
    }
    all_count_ = std::max(0, all_count_ - 1);
    for (const Tracked& thread : to_resume) {
      uses_.parking.wake(held, thread);
    }
    to_resume.clear();
    registry_.drop_ended(held, gone);
  }
  uses_.breakpoints.resumed();
  uses_.reporter.unblock();
  return {};
}

}  // namespace jvmdebug::agent::threads
