// SPDX-License-Identifier: Apache-2.0
#include "agent/threads/thread_registry.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "agent/threads/suspension.h"

namespace jvmdebug::agent::threads {
namespace {

const void* as_pointer(std::uintptr_t key) {
  // NOLINTNEXTLINE(performance-no-int-to-ptr): a number kept where the VM keeps a pointer for us
  return reinterpret_cast<const void*>(key);
}

}  // namespace

ThreadRegistry::ThreadRegistry(const jvm::Env& env, Suspension& suspension, bool includes_virtual)
    : env_(env),
      suspension_(suspension),
      includes_virtual_(includes_virtual),
      own_threads_(env),
      virtual_thread_ends_(env, includes_virtual) {}

// --- finding ---------------------------------------------------------------------------------

// Returns the key that is stored for a thread: 0 if the thread is not tracked or not alive.
std::uintptr_t ThreadRegistry::key_of(jthread thread) const {
  const auto stored = env_.get_thread_local_storage(thread);
  return stored ? reinterpret_cast<std::uintptr_t>(*stored) : 0;
}

Tracked ThreadRegistry::lookup(std::uintptr_t key) const {
  const Lock held = lock();
  const auto found = by_key_.find(key);
  return found == by_key_.end() ? nullptr : found->second;
}

Tracked ThreadRegistry::find_begun(const Lock& /*held*/, jthread thread) const {
  const auto found = by_key_.find(key_of(thread));
  return found == by_key_.end() ? nullptr : found->second;
}

Tracked ThreadRegistry::find(jthread thread) {
  if (auto tracked = lookup(key_of(thread))) {
    return tracked;
  }
  const jvm::Jni jni = env_.jni();
  const Lock held = lock();
  const auto found = std::ranges::find_if(
      unstarted_, [&](const Tracked& candidate) { return jni.same(candidate->thread, thread); });
  return found == unstarted_.end() ? nullptr : *found;
}

std::vector<Tracked> ThreadRegistry::tracked() const {
  const Lock held = lock();
  const auto all = begun(held);
  return {all.begin(), all.end()};
}

Result<void> ThreadRegistry::check_visible(jthread thread) const {
  if (own_threads_.contains(env_.jni(), thread)) {
    return fail(protocol::Error::kInvalidThread);
  }
  return {};
}

Result<std::vector<jvm::LocalRef<jthread>>> ThreadRegistry::visible_threads(const jvm::Jni& jni) {
  JVMDEBUG_ASSIGN(const auto threads, env_.get_all_threads());
  std::vector<jvm::LocalRef<jthread>> visible;
  visible.reserve(threads.size());
  for (jthread thread : threads) {
    auto owned = jni.adopt(thread);
    if (!own_threads_.contains(jni, thread)) {
      visible.push_back(std::move(owned));
    }
  }
  if (includes_virtual_) {
    for (const Tracked& known : tracked()) {
      if (known->virtual_thread) {
        visible.push_back(jni.local<jthread>(known->thread));
      }
    }
  }
  return visible;
}

// --- beginning to track ----------------------------------------------------------------------

Tracked ThreadRegistry::create(const jvm::Jni& jni, jthread thread) {
  std::uintptr_t key = 0;
  {
    const Lock held = lock();
    key = next_key_++;
  }
  auto tracked =
      std::make_shared<TrackedThread>(key, jni.global(thread), jni.is_virtual_thread(thread));
  // A key without a record: the thread's last event was sent. From then on the thread only has to
  // be resumed if it was suspended, and no event will report when it is gone.
  tracked->ended = key_of(thread) > OwnThreads::kKey;
  std::vector<Tracked> gone;  // released without the lock
  {
    const Lock held = lock();
    if (tracked->ended) {
      drop_ended(held, gone);
    }
    by_key_.emplace(key, tracked);
  }
  if (!env_.set_thread_local_storage(thread, as_pointer(key))) {
    const Lock held = lock();
    by_key_.erase(key);
    tracked->ended = false;
    keep_unstarted(held, tracked, gone);
  } else if (!tracked->ended) {
    virtual_thread_ends_.enable_for(*tracked);
  }
  return tracked;
}

Tracked ThreadRegistry::track(jthread thread) {
  if (auto tracked = find(thread)) {
    return tracked;
  }
  auto tracked = create(env_.jni(), thread);
  const Lock held = lock();
  if (by_key_.contains(tracked->key)) {  // a thread that has not begun joins when it begins
    suspension_.join(held, *tracked);
  }
  return tracked;
}

Result<void> ThreadRegistry::track_present(const jvm::Jni& jni) {
  JVMDEBUG_ASSIGN(const auto threads, env_.get_all_threads());
  for (jthread thread : threads) {
    const auto owned = jni.adopt(thread);
    (void)track(thread);
  }
  return {};
}

Tracked ThreadRegistry::enter(const jvm::Jni& jni, jthread thread) {
  const std::uintptr_t key = key_of(nullptr);
  if (key == OwnThreads::kKey) {
    return nullptr;
  }
  auto self = lookup(key);
  if (!self && own_threads_.contains(jni, thread)) {
    return nullptr;  // its start event comes before its body has stored the key
  }
  if (!self) {
    self = adopt_unstarted(jni, thread);
  }
  if (!self) {
    self = create(jni, thread);
    const Lock held = lock();
    suspension_.join_at_event(held, *self);
  }
  suspension_.wait_at_event(self);
  return self;
}

// --- threads that have not begun -------------------------------------------------------------

// Threads that are not suspended and that no request names need not be kept.
void ThreadRegistry::keep_unstarted(const Lock& /*held*/, const Tracked& thread,
                                    std::vector<Tracked>& gone) {
  if (unstarted_.size() >= look_through_unstarted_at_) {
    const auto rest = std::ranges::partition(unstarted_, [](const Tracked& known) {
      return known->suspend_count > 0 || known.use_count() > 1;
    });
    std::ranges::move(rest, std::back_inserter(gone));
    unstarted_.erase(rest.begin(), rest.end());
    look_through_unstarted_at_ = std::max<std::size_t>(64, unstarted_.size() * 2);
  }
  unstarted_.push_back(thread);
}

// Returns the record of a thread that the debugger knew, and perhaps suspended, before it began.
Tracked ThreadRegistry::adopt_unstarted(const jvm::Jni& jni, jthread thread) {
  std::vector<Tracked> candidates;
  {
    const Lock held = lock();
    candidates = unstarted_;
  }
  for (Tracked& candidate : candidates) {
    if (!jni.same(candidate->thread, thread) ||
        !env_.set_thread_local_storage(nullptr, as_pointer(candidate->key))) {
      continue;
    }
    virtual_thread_ends_.enable_for(*candidate);
    const Lock held = lock();
    std::erase(unstarted_, candidate);
    by_key_.emplace(candidate->key, candidate);
    suspension_.join_at_event(held, *candidate);
    return candidate;
  }
  return nullptr;
}

std::vector<Tracked> ThreadRegistry::take_unstarted(const Lock& /*held*/) {
  return std::exchange(unstarted_, {});
}

void ThreadRegistry::drop_unstarted(const Lock& /*held*/, const Tracked& thread) {
  std::erase(unstarted_, thread);
}

// --- threads that have ended -----------------------------------------------------------------

void ThreadRegistry::forget(const Tracked& thread) {
  virtual_thread_ends_.forget(*thread);
  const Lock held = lock();
  thread->ended = true;
  // A thread that JVM TI has suspended stays registered, because it must be resumed. A thread that
  // runs while all others are suspended may have one more event, VMDeath. It must not be registered
  // again then, because it would be suspended like the others and keep the VM from ending.
  if (thread->suspend_count == 0 && !suspension_.all_suspended(held)) {
    by_key_.erase(thread->key);
  }
}

// A thread that ended while it was suspended was kept so that it could be resumed once more. If
// something else refers to it, it is still in an event (it enters a monitor on its way out, or runs
// the program's shutdown) and may have to be suspended, so it is kept until it has left.
void ThreadRegistry::drop_ended(const Lock& /*held*/, std::vector<Tracked>& gone) {
  std::erase_if(by_key_, [&](const auto& entry) {
    const Tracked& thread = entry.second;
    const bool is_gone = thread->ended && thread->suspend_count == 0 && thread.use_count() == 1;
    if (is_gone) {
      virtual_thread_ends_.forget(*thread);
      gone.push_back(thread);
    }
    return is_gone;
  });
}

bool ThreadRegistry::forget_virtual() {
  if (includes_virtual_) {
    return true;  // they are all known, whether there is a debugger or not
  }
  std::vector<Tracked> gone;  // released without the lock
  bool all = true;
  const Lock held = lock();
  std::erase_if(by_key_, [&](const auto& entry) {
    const Tracked& known = entry.second;
    // A thread that is in an event, or for which an event is enabled, is kept.
    const bool needless = known.use_count() == 1 && known->applied_modes == 0;
    all &= needless || !known->virtual_thread;
    if (!needless || !known->virtual_thread) {
      return false;
    }
    // Done under the lock, so that the thread registers again only after this. Fails when the
    // thread has ended.
    (void)env_.set_thread_local_storage(known->thread, nullptr);
    virtual_thread_ends_.disable_for(*known);
    gone.push_back(known);
    return true;
  });
  virtual_thread_ends_.disable_if_unused();
  return all;
}

}  // namespace jvmdebug::agent::threads
