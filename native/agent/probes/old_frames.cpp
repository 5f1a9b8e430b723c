// SPDX-License-Identifier: Apache-2.0
#include "agent/probes/old_frames.h"

#include <algorithm>
#include <mutex>
#include <unordered_map>
#include <utility>
#include <vector>

#include "agent/code/code_versions.h"
#include "agent/events/breakpoints.h"
#include "agent/thread_dump/jdk_fields.h"
#include "agent/thread_dump/virtual_threads.h"
#include "agent/threads/stepper.h"
#include "agent/threads/thread_registry.h"

namespace jvmdebug::agent::probes {

// The threads that the agent knows, by their thread objects. The thread-local storage of the VM is
// not used, because JDK 17 crashes when it is asked for that of a thread that is just ending.
class OldFrames::Known {
 public:
  Known(const jvm::Env& env, threads::ThreadRegistry& threads) : env_(env), jni_(env.jni()) {
    for (const threads::Tracked& thread : threads.tracked()) {
      by_hash_.emplace(hash_of(thread->thread), thread);
    }
  }

  // Returns null if the agent does not know the thread.
  [[nodiscard]] threads::Tracked find(jthread thread) const {
    const auto [first, last] = by_hash_.equal_range(hash_of(thread));
    const auto found = std::find_if(
        first, last, [&](const auto& each) { return jni_.same(each.second->thread, thread); });
    return found == last ? nullptr : found->second;
  }

 private:
  [[nodiscard]] jint hash_of(jthread thread) const {
    return env_.get_object_hash_code(thread).value_or(0);
  }

  const jvm::Env& env_;
  const jvm::Jni jni_;
  std::unordered_multimap<jint, threads::Tracked> by_hash_;
};

code::ThreadStack OldFrames::stack_of(const jvm::Jni& jni, const Known& known, jthread thread,
                                      bool is_virtual) const {
  const auto tracked = known.find(thread);
  return {.thread = jni.local(thread),
          .is_virtual = is_virtual,
          .is_in_breakpoint_event = tracked && tracked->is_in_breakpoint_event,
          .arrivals = tracked ? tracked->arrivals.load() : 0U,
          .frames = is_virtual ? code::actual_frames(env_, thread) : std::vector<jvmtiFrameInfo>()};
}

code::ThreadStacks OldFrames::platform_stacks(const jvm::Jni& jni, const Known& known) const {
  code::ThreadStacks found;
  std::vector<jthread> threads;
  if (const auto all = env_.get_all_threads()) {
    for (auto* const raw : *all) {
      const auto thread = jni.adopt(raw);
      threads.push_back(found.emplace_back(stack_of(jni, known, thread, false)).thread);
    }
  }
  // Whether a thread is in an event was read before its stack.
  auto frames = code::actual_frames(env_, threads);
  for (std::size_t at = 0; at < found.size(); ++at) {
    found[at].frames = std::move(frames[at]);
  }
  return found;
}

std::optional<code::ThreadStacks> OldFrames::stacks(const jvm::Jni& jni) const {
  constexpr jint kFirstWithVirtualThreads = 19;
  constexpr std::size_t kMostVirtual = 20'000;  // some 10 µs each
  const Known known(env_, threads_);
  code::ThreadStacks found = platform_stacks(jni, known);
  if (env_.feature_version() < kFirstWithVirtualThreads) {
    return found;
  }
  std::vector<jthread> platform;
  platform.reserve(found.size());
  for (const code::ThreadStack& each : found) {
    platform.push_back(each.thread);
  }
  const auto fields = thread_dump::JdkFields::find(env_);
  if (!fields) {
    return std::nullopt;
  }
  thread_dump::VirtualThreads all(env_, *fields, kMostVirtual);
  if (!all.find(platform) || all.count() > kMostVirtual) {
    return std::nullopt;
  }
  for (const auto& thread : all.take()) {
    found.push_back(stack_of(jni, known, thread, true));
  }
  return found;
}

code::ThreadStacks OldFrames::stacks_or_known(const jvm::Jni& jni) const {
  auto all = stacks(jni);
  return all ? std::move(*all) : known_stacks(jni);
}

code::ThreadStacks OldFrames::known_stacks(const jvm::Jni& jni) const {
  const Known known(env_, threads_);
  code::ThreadStacks found = platform_stacks(jni, known);
  for (const threads::Tracked& thread : threads_.tracked()) {
    if (thread->virtual_thread) {
      found.push_back(stack_of(jni, known, thread->thread, true));
    }
  }
  return found;
}

void OldFrames::look(const jvm::Jni& jni, const code::ThreadStacks& stacks) {
  auto with_old = std::make_shared<WeakThreads>();
  for (const code::ThreadStack& stack : stacks) {
    bool has_old = false;
    for (const jvmtiFrameInfo& frame : stack.frames) {
      has_old |= versions_.method(frame.method)->shown != frame.method;
    }
    if (has_old && stack.is_virtual) {
      with_old->push_back(jni.weak(stack.thread));
    }
  }
  std::shared_ptr<const WeakThreads> left = std::move(with_old);  // released after the lock
  const std::scoped_lock lock(mutex_);
  virtual_.swap(left);
}

namespace {

bool has(const std::vector<std::uint16_t>& numbers, std::uint16_t number) {
  return std::ranges::find(numbers, number) != numbers.end();
}

}  // namespace

std::vector<jvm::GlobalRef<jthread>> OldFrames::threads_without(
    const jvm::Jni& jni, const events::CodeLocation& location, std::uint16_t probe) const {
  const auto code = env_.get_bytecodes(location.method);
  std::vector<jvm::GlobalRef<jthread>> found;
  for (const code::ThreadStack& stack : stacks_or_known(jni)) {
    const bool may_come = std::ranges::any_of(stack.frames, [&](const jvmtiFrameInfo& frame) {
      const auto view = versions_.method(frame.method);
      return view->shown == location.method && !has(view->probes_at(location.index), probe) &&
             (!code ||
              code::may_come_to(code->span(), view->shown_index(frame.location), location.index));
    });
    if (may_come) {
      found.push_back(jni.global(stack.thread.get()));
    }
  }
  return found;
}

bool OldFrames::would_matter(const code::ThreadStacks& stacks, jmethodID method) const {
  return std::ranges::any_of(stacks, [&](const code::ThreadStack& stack) {
    return any_comes_to_breakpoint(
        stack.frames, stack.is_in_breakpoint_event,
        [&](jmethodID /*actual*/, jmethodID shown) { return shown == method; });
  });
}

bool OldFrames::has_any(const threads::Tracked& thread) const {
  return any_comes_to_breakpoint(code::actual_frames(env_, thread->thread),
                                 thread->is_in_breakpoint_event,
                                 [](jmethodID actual, jmethodID shown) { return actual != shown; });
}

// Whether one of the frames that `concerns` selects may come to a breakpoint.
template <class Concerns>
bool OldFrames::any_comes_to_breakpoint(std::span<const jvmtiFrameInfo> frames,
                                        bool is_in_breakpoint_event, Concerns concerns) const {
  bool is_top = true;
  for (const jvmtiFrameInfo& frame : frames) {
    const auto view = versions_.method(frame.method);
    if (view->is_hidden) {
      continue;  // the frame below it has not yet run the instruction with the probe
    }
    const bool in_event = is_top && is_in_breakpoint_event;
    is_top = false;
    if (!concerns(frame.method, view->shown)) {
      continue;
    }
    const auto wanted = breakpoints_.indices_in(view->shown);
    if (wanted.empty()) {
      continue;
    }
    const auto code = env_.get_bytecodes(view->shown);
    const jlocation at = view->shown_index(frame.location);
    if (!code || std::ranges::any_of(wanted, [&](jlocation to) {
          return (to == at && !in_event) || code::may_come_to(code->span(), at, to);
        })) {
      return true;
    }
  }
  return false;
}

void OldFrames::step_if_in_old_frame(const threads::Tracked& thread) const {
  if (has_any(thread)) {
    thread->has_old_frames = true;
    stepper_.apply(thread);
  }
}

// The same for these threads. A frame that is old is not entered again, so it does no harm that the
// stacks of platform threads are read before, together.
void OldFrames::step_in_old_frames(const std::vector<threads::Tracked>& threads) const {
  std::vector<threads::Tracked> platform;
  std::vector<jthread> listed;
  for (const threads::Tracked& thread : threads) {
    if (thread->virtual_thread) {
      step_if_in_old_frame(thread);
    } else {
      platform.push_back(thread);
      listed.push_back(thread->thread.get());
    }
  }
  const auto stacks = code::actual_frames(env_, listed);
  for (std::size_t at = 0; at < platform.size(); ++at) {
    const bool may_have = std::ranges::any_of(stacks[at], [&](const jvmtiFrameInfo& frame) {
      const auto view = versions_.method(frame.method);
      return !view->is_hidden && !breakpoints_.indices_in(view->shown).empty();
    });
    if (may_have) {
      step_if_in_old_frame(platform[at]);
    }
  }
}

// Ends the steps of a thread without such frames. Looks again afterwards, because a breakpoint may
// be set meanwhile.
void OldFrames::step_no_more(const threads::Tracked& thread) const {
  if (has_any(thread)) {
    return;
  }
  thread->has_old_frames = false;
  if (has_any(thread)) {
    thread->has_old_frames = true;
  }
  stepper_.apply(thread);
}

void OldFrames::watch() const {
  if (!versions_.is_on()) {
    return;
  }
  if (const auto self = threads_.current()) {
    step_if_in_old_frame(self);
    return;
  }
  step_in_old_frames(threads_.tracked());
  std::shared_ptr<const WeakThreads> others;
  {
    const std::scoped_lock lock(mutex_);
    others = virtual_;
  }
  if (!others) {
    return;
  }
  const jvm::Jni jni = env_.jni();
  const Known known(env_, threads_);
  for (const jvm::WeakRef& each : *others) {
    const auto thread = each.lock(jni);
    auto* const raw = static_cast<jthread>(thread.get());
    if (raw != nullptr && !known.find(raw)) {
      step_if_in_old_frame(threads_.track(raw));
    }
  }
}

void OldFrames::breakpoint_removed() const {
  if (!versions_.is_on()) {
    return;
  }
  for (const threads::Tracked& thread : threads_.tracked()) {
    if (thread->has_old_frames) {
      step_no_more(thread);
    }
  }
}

// Looks at the whole stack now and then, also while the thread is in such a frame: a frame that
// stays for long may have passed the last location for which it steps.
bool OldFrames::are_watched(bool in_old_frame) const {
  constexpr unsigned kLookEvery = 64;
  constexpr unsigned kLookEveryInOldFrame = 2048;
  const auto self = threads_.current();
  if (!self || !self->has_old_frames) {
    return false;
  }
  if (++self->steps_since_look % (in_old_frame ? kLookEveryInOldFrame : kLookEvery) == 0) {
    step_no_more(self);
  }
  return in_old_frame;
}

}  // namespace jvmdebug::agent::probes
