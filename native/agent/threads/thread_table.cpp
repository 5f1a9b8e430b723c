// SPDX-License-Identifier: Apache-2.0
#include "agent/threads/thread_table.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <ranges>
#include <utility>

#include "agent/agent.h"
#include "agent/events/callback_guard.h"
#include "agent/events/sender.h"
#include "agent/threads/invoker.h"

namespace jvmdebug::agent::threads {
namespace {

// What the VM's thread-local storage of our own threads holds.
constexpr std::uintptr_t kAgentThread = 1;

// In an event, and neither running a method for the debugger there nor about to: that can be
// disturbed.
bool stands_in_event(const TrackedThread& thread) {
  return (thread.may_invoke && !thread.next_invocation) || thread.reporting;
}

const void* as_pointer(std::uintptr_t key) {
  // NOLINTNEXTLINE(performance-no-int-to-ptr): a number kept where the VM keeps a pointer for us
  return reinterpret_cast<const void*>(key);
}

}  // namespace

ThreadTable::ThreadTable(Agent& agent)
    : agent_(agent),
      env_(agent.jvmti()),
      virtual_thread_ends_(env_, agent.options().include_virtual_threads) {}

// --- who is who ------------------------------------------------------------------------------

// What is stored for a thread: 0 for one that is not tracked or does not live.
std::uintptr_t ThreadTable::key_of(jthread thread) const {
  const auto stored = env_.get_thread_local_storage(thread);
  return stored ? reinterpret_cast<std::uintptr_t>(*stored) : 0;
}

// They are few, and a comparison costs less than a look into a thread's storage.
bool ThreadTable::is_agent_thread(jthread thread) const {
  return is_own(env_.jni(), thread);
}

Tracked ThreadTable::lookup(std::uintptr_t key) const {
  const std::scoped_lock lock(mutex_);
  const auto found = by_key_.find(key);
  return found == by_key_.end() ? nullptr : found->second;
}

Tracked ThreadTable::find(jthread thread) {
  if (auto tracked = lookup(key_of(thread))) {
    return tracked;
  }
  const jvm::Jni jni = env_.jni();
  const std::scoped_lock lock(mutex_);
  const auto found = std::ranges::find_if(
      unstarted_, [&](const Tracked& candidate) { return jni.same(candidate->thread, thread); });
  return found == unstarted_.end() ? nullptr : *found;
}

Tracked ThreadTable::create(const jvm::Jni& jni, jthread thread) {
  std::uintptr_t key = 0;
  {
    const std::scoped_lock lock(mutex_);
    key = next_key_++;
  }
  auto tracked =
      std::make_shared<TrackedThread>(key, jni.global(thread), jni.is_virtual_thread(thread));
  // A key without a record: its last event was told. From then on it only has to be resumed when
  // it was suspended, and nobody will tell when it is gone.
  tracked->ended = key_of(thread) > kAgentThread;
  std::vector<Tracked> gone;  // given up after the lock is left
  {
    const std::scoped_lock lock(mutex_);
    if (tracked->ended) {
      drop_ended(gone);
    }
    by_key_.emplace(key, tracked);
  }
  if (!env_.set_thread_local_storage(thread, as_pointer(key))) {
    const std::scoped_lock lock(mutex_);
    by_key_.erase(key);
    tracked->ended = false;
    keep_unstarted(tracked, gone);
  } else if (!tracked->ended) {
    virtual_thread_ends_.ask_for(*tracked);
  }
  return tracked;
}

// Those that nobody has suspended and no request names need not be known any more.
void ThreadTable::keep_unstarted(const Tracked& thread, std::vector<Tracked>& gone) {
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

Tracked ThreadTable::track(jthread thread) {
  if (auto tracked = find(thread)) {
    return tracked;
  }
  auto tracked = create(env_.jni(), thread);
  const std::scoped_lock lock(mutex_);
  if (suspend_all_count_ > 0) {
    // All virtual threads were suspended at once, those that nobody knew included. A platform
    // thread that is not known yet is about to begin: it is stopped there.
    tracked->suspend_count = suspend_all_count_;
    tracked->stopped = tracked->virtual_thread;
    tracked->suspend_at_start = !tracked->virtual_thread;
  }
  return tracked;
}

std::vector<Tracked> ThreadTable::tracked() const {
  const std::scoped_lock lock(mutex_);
  const auto all = std::views::values(by_key_);
  return {all.begin(), all.end()};
}

Result<void> ThreadTable::check_visible(jthread thread) {
  if (is_agent_thread(thread)) {
    return fail(protocol::Error::kInvalidThread);
  }
  return {};
}

Result<void> ThreadTable::check_suspended(jthread thread) {
  JVMDEBUG_CHECK(check_visible(thread));
  if (!is_suspended(thread)) {
    return fail(protocol::Error::kThreadNotSuspended);
  }
  return {};
}

int ThreadTable::suspend_count(jthread thread) {
  if (const auto tracked = find(thread)) {
    const std::scoped_lock lock(mutex_);
    return tracked->suspend_count;
  }
  // A virtual thread that nobody knew, or a thread that is about to begin, shares the fate of all.
  const auto state = env_.get_thread_state(thread);
  const bool alive = state && (*state & JVMTI_THREAD_STATE_ALIVE) != 0;
  const std::scoped_lock lock(mutex_);
  return alive ? suspend_all_count_ : 0;
}

Result<std::vector<jvm::LocalRef<jthread>>> ThreadTable::visible_threads(const jvm::Jni& jni) {
  JVMDEBUG_ASSIGN(const auto threads, env_.get_all_threads());
  std::vector<jvm::LocalRef<jthread>> visible;
  visible.reserve(threads.size());
  for (jthread thread : threads) {
    auto owned = jni.adopt(thread);
    if (!is_agent_thread(thread)) {
      visible.push_back(std::move(owned));
    }
  }
  if (agent_.options().include_virtual_threads) {
    for (const Tracked& known : tracked()) {
      if (known->virtual_thread) {
        visible.push_back(jni.local<jthread>(known->thread));
      }
    }
  }
  return visible;
}

// --- our own threads -------------------------------------------------------------------------

namespace {

using Body = std::function<void()>;

void JNICALL run_agent_thread(jvmtiEnv* raw, JNIEnv* /*jni*/, void* argument) {
  const std::unique_ptr<Body> body(static_cast<Body*>(argument));
  // Fails only when the VM is going down, and then nobody asks.
  (void)raw->SetThreadLocalStorage(nullptr, as_pointer(kAgentThread));
  events::contain_exceptions("a thread of the agent ended", std::ref(*body));
}

jvm::LocalRef<jobject> new_java_thread(const jvm::Jni& jni, const char* name) {
  const auto type = jni.find_class("java/lang/Thread");
  if (!type) {
    return {};
  }
  const jmethodID constructor = jni->GetMethodID(type, "<init>", "(Ljava/lang/String;)V");
  const auto text = jni.new_string(name);
  if (constructor == nullptr || !text) {
    (void)jni.clear_exception();
    return {};
  }
  auto thread = jni.adopt(jni->NewObject(type, constructor, text->get()));
  if (jni.clear_exception()) {
    return {};
  }
  return thread;
}

}  // namespace

Result<void> ThreadTable::start_agent_thread(const jvm::Jni& jni, const char* name,
                                             std::function<void()> body) {
  const auto thread = new_java_thread(jni, name);
  if (!thread) {
    return fail(protocol::Error::kOutOfMemory);
  }
  auto reference = std::make_shared<const jvm::GlobalRef<jobject>>(jni.global(thread.get()));
  {
    const std::scoped_lock lock(mutex_);
    OwnThreads more = *own_threads_;
    more.push_back(std::move(reference));
    own_threads_ = std::make_shared<const OwnThreads>(std::move(more));
  }
  auto start = std::make_unique<Body>(std::move(body));
  JVMDEBUG_CHECK(env_.run_agent_thread(thread.get(), run_agent_thread, start.get(),
                                       JVMTI_THREAD_MAX_PRIORITY));
  (void)start.release();  // the thread owns it now
  return {};
}

// --- the thread itself, in an event ----------------------------------------------------------

Tracked ThreadTable::enter(const jvm::Jni& jni, jthread thread) {
  const std::uintptr_t key = key_of(nullptr);
  if (key == kAgentThread) {
    return nullptr;
  }
  auto self = lookup(key);
  if (!self && is_own(jni, thread)) {
    return nullptr;  // its start event comes before its body has marked it
  }
  if (!self) {
    self = adopt_unstarted(jni, thread);
  }
  if (!self) {
    self = create(jni, thread);
    const std::scoped_lock lock(mutex_);
    self->suspend_count = std::max(self->suspend_count, suspend_all_count_);
    self->suspend_at_start = self->suspend_count > 0;
  }
  wait_to_start(self);
  return self;
}

bool ThreadTable::is_own(const jvm::Jni& jni, jthread thread) const {
  std::shared_ptr<const OwnThreads> own;
  {
    const std::scoped_lock lock(mutex_);
    own = own_threads_;
  }
  return std::ranges::any_of(*own, [&](const auto& mine) { return jni.same(*mine, thread); });
}

// A thread that the debugger knew, and perhaps suspended, before it lived.
Tracked ThreadTable::adopt_unstarted(const jvm::Jni& jni, jthread thread) {
  std::vector<Tracked> candidates;
  {
    const std::scoped_lock lock(mutex_);
    candidates = unstarted_;
  }
  for (Tracked& candidate : candidates) {
    if (!jni.same(candidate->thread, thread) ||
        !env_.set_thread_local_storage(nullptr, as_pointer(candidate->key))) {
      continue;
    }
    virtual_thread_ends_.ask_for(*candidate);
    const std::scoped_lock lock(mutex_);
    std::erase(unstarted_, candidate);
    by_key_.emplace(candidate->key, candidate);
    candidate->suspend_count = std::max(candidate->suspend_count, suspend_all_count_);
    candidate->suspend_at_start = candidate->suspend_count > 0;
    return candidate;
  }
  return nullptr;
}

void ThreadTable::wait_to_start(const Tracked& self) {
  {
    const std::scoped_lock lock(mutex_);
    if (!self->suspend_at_start) {
      return;
    }
  }
  // Another thread suspends it in truth, so that its stack can be looked at.
  agent_.sender().run_soon([this, self] { stop_newcomer(self); }, true);
  std::unique_lock lock(mutex_);
  self->changed.wait(lock, [&] { return self->suspend_count == 0; });
  self->suspend_at_start = false;
}

void ThreadTable::forget(const Tracked& thread) {
  // While JVM TI holds the thread, somebody must know that it is to be resumed.
  virtual_thread_ends_.heard(*thread);
  const std::scoped_lock lock(mutex_);
  thread->ended = true;
  if (thread->suspend_count == 0) {
    by_key_.erase(thread->key);
  }
}

void ThreadTable::set_reporting(const Tracked& self, bool reporting) {
  const std::scoped_lock lock(mutex_);
  self->reporting = reporting;
}

Result<void> ThreadTable::interrupt(jthread thread) {
  if (const auto tracked = find(thread)) {
    const std::scoped_lock lock(mutex_);
    if (stands_in_event(*tracked)) {
      tracked->interrupt_later = true;
      return {};
    }
  }
  return env_.interrupt_thread(thread);
}

Result<void> ThreadTable::stop(jthread thread, jobject throwable) {
  if (const auto tracked = find(thread)) {
    auto kept = env_.jni().global(throwable);
    const std::scoped_lock lock(mutex_);
    if (stands_in_event(*tracked)) {
      std::swap(tracked->stop_later, kept);
      return {};
    }
  }
  return env_.stop_thread(thread, throwable);
}

// The thread leaves its event: what was kept for it until now.
void ThreadTable::disturb(const Tracked& self, std::unique_lock<std::mutex>& lock) {
  const bool interrupt = std::exchange(self->interrupt_later, false);
  const auto throwable = std::exchange(self->stop_later, {});
  lock.unlock();
  // Neither can fail for a thread that runs.
  if (interrupt) {
    (void)env_.interrupt_thread(self->thread);
  }
  if (throwable) {
    (void)env_.stop_thread(self->thread, throwable);
  }
}

void ThreadTable::park(const jvm::Jni& jni, const Tracked& self) {
  std::unique_lock lock(mutex_);
  self->reporting = false;
  while (true) {
    self->changed.wait(lock, [&] {
      return self->suspend_count == 0 || self->next_invocation || self->leave_park;
    });
    auto invocation = std::exchange(self->next_invocation, nullptr);
    if (!invocation) {
      break;
    }
    self->may_invoke = false;
    ++self->invocations;
    const jint frames_below = std::exchange(self->frames_below, invocation->frames_below);
    // What is kept for the program must not come to the method, nor to an event inside it.
    bool interrupt = std::exchange(self->interrupt_later, false);
    auto throwable = std::exchange(self->stop_later, {});
    lock.unlock();
    interrupt |= agent_.invoker().take_interrupt();
    agent_.invoker().run(jni, self, *invocation);
    lock.lock();
    --self->invocations;
    self->frames_below = frames_below;
    self->interrupt_later |= interrupt;
    if (!self->stop_later) {
      std::swap(self->stop_later, throwable);
    }
    // Told when nothing is left of it: the thread may be suspended from then on. What gives
    // references back calls the VM: not under the lock.
    lock.unlock();
    agent_.invoker().tell(self, std::move(invocation));
    throwable = {};
    lock.lock();
  }
  self->may_invoke = false;
  if (!std::exchange(self->leave_park, false)) {
    if (std::exchange(self->returns_from, std::nullopt) || self->stop_later) {
      self->last_reported = {};  // the instruction there does not run now
    }
    disturb(self, lock);
  }
}

}  // namespace jvmdebug::agent::threads
