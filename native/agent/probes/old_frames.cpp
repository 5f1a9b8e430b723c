// SPDX-License-Identifier: Apache-2.0
#include "agent/probes/old_frames.h"

#include <algorithm>
#include <unordered_set>
#include <utility>
#include <vector>

#include "agent/agent.h"
#include "agent/events/breakpoints.h"
#include "agent/jvm/bytecode.h"
#include "agent/jvm/code_flow.h"
#include "agent/probes/code_versions.h"
#include "agent/probes/instructions.h"
#include "agent/threads/stepper.h"
#include "agent/threads/thread_registry.h"

namespace jvmdebug::agent::probes {

std::vector<jvmtiFrameInfo> actual_frames(const jvm::Env& env, jthread thread) {
  std::vector<jvmtiFrameInfo> frames(
      static_cast<std::size_t>(env.get_frame_count(thread).value_or(0)));
  if (!frames.empty()) {
    frames.resize(
        static_cast<std::size_t>(env.get_actual_stack_trace(thread, 0, frames).value_or(0)));
  }
  return frames;
}

// Forward, code may come anywhere. Backward it comes by branches behind it, and to handlers of
// exceptions.
bool may_come_to(std::span<const std::uint8_t> code, std::int64_t from, std::int64_t to) {
  if (to > from) {
    return true;
  }
  std::int64_t reached = from + 1;  // all from here on
  for (const std::size_t handler : jvm::exception_blocks(code)) {
    reached = std::min(reached, static_cast<std::int64_t>(handler));
  }
  const auto all = instructions(code);
  if (all.empty()) {
    return true;
  }
  for (bool grows = true; grows;) {
    grows = false;
    for (const std::size_t at : all) {
      // The instruction that it stands at counts.
      if (std::cmp_less(at, std::min(reached, from))) {
        continue;
      }
      for (const auto& branch : branch_offsets(code, at, jvm::instruction_size(code, at))) {
        const auto target = static_cast<std::int64_t>(at) + branch.offset;
        grows |= target < reached;
        reached = std::min(reached, target);
      }
    }
  }
  return to >= reached;
}

// All platform threads, and the virtual threads that the agent knows.
template <class Look>
void OldFrames::for_each_thread(const jvm::Jni& jni, Look look) const {
  if (const auto all = agent_.jvmti().get_all_threads()) {
    for (auto* const raw : *all) {
      look(jni.adopt(raw));
    }
  }
  for (const threads::Tracked& thread : agent_.threads().tracked()) {
    if (thread->virtual_thread) {
      look(thread->thread);
    }
  }
}

void OldFrames::look(const jvm::Jni& jni) const {
  const jvm::Env& env = agent_.jvmti();
  std::vector<jvmtiFrameInfo> frames;
  for_each_thread(jni, [&](jthread thread) {
    const auto count = env.get_frame_count(thread).value_or(0);
    frames.resize(static_cast<std::size_t>(count));
    if (count > 0) {
      (void)env.get_stack_trace(thread, 0, frames);  // asks for the view of each
    }
  });
}

std::unordered_set<jmethodID> OldFrames::versions_in_use(const jvm::Jni& jni) const {
  std::unordered_set<jmethodID> found;
  for_each_thread(jni, [&](jthread thread) {
    for (const jvmtiFrameInfo& frame : actual_frames(agent_.jvmti(), thread)) {
      found.insert(frame.method);
    }
  });
  return found;
}

bool OldFrames::declares(const jvm::Jni& jni, jclass type, jmethodID method) const {
  const auto declaring = agent_.jvmti().get_method_declaring_class(method);
  const auto owned = jni.adopt(declaring.value_or(nullptr));
  return owned && jni.same(owned, type);
}

std::vector<jmethodID> OldFrames::obsolete_methods(const jvm::Jni& jni, jclass type) const {
  std::vector<jmethodID> found;
  for (jmethodID const method : versions_in_use(jni)) {
    if (agent_.jvmti().is_method_obsolete(method).value_or(false) && declares(jni, type, method)) {
      found.push_back(method);
    }
  }
  return found;
}

std::vector<jmethodID> OldFrames::methods_in_use(const jvm::Jni& jni, jclass type) const {
  std::unordered_set<jmethodID> found;
  for (jmethodID const version : versions_in_use(jni)) {
    if (declares(jni, type, version)) {
      found.insert(agent_.code_versions().method(version)->shown);
    }
  }
  return {found.begin(), found.end()};
}

namespace {

bool has(const std::vector<std::uint16_t>& numbers, std::uint16_t number) {
  return std::ranges::find(numbers, number) != numbers.end();
}

}  // namespace

std::vector<jvm::GlobalRef<jthread>> OldFrames::threads_without(
    const jvm::Jni& jni, const events::CodeLocation& location, std::uint16_t probe) const {
  const jvm::Env& env = agent_.jvmti();
  const auto code = env.get_bytecodes(location.method);
  std::vector<jvm::GlobalRef<jthread>> found;
  for_each_thread(jni, [&](jthread thread) {
    for (const jvmtiFrameInfo& frame : actual_frames(env, thread)) {
      const auto view = agent_.code_versions().method(frame.method);
      if (view->shown != location.method || has(view->probes_at(location.index), probe)) {
        continue;
      }
      const jlocation at = view->shown_index(frame.location);
      if (!code || may_come_to(code->span(), at, location.index)) {
        found.push_back(jni.global(thread));
        return;
      }
    }
  });
  return found;
}

bool OldFrames::would_matter(jmethodID method) const {
  return std::ranges::any_of(agent_.threads().tracked(), [&](const threads::Tracked& thread) {
    return would_matter(thread, method);
  });
}

bool OldFrames::would_matter(const threads::Tracked& thread, jmethodID method) const {
  return any_comes_to_breakpoint(
      thread, [&](jmethodID /*actual*/, jmethodID shown) { return shown == method; });
}

bool OldFrames::has_any(const threads::Tracked& thread) const {
  return any_comes_to_breakpoint(thread,
                                 [](jmethodID actual, jmethodID shown) { return actual != shown; });
}

// Of the frames that `concerns` says.
template <class Concerns>
bool OldFrames::any_comes_to_breakpoint(const threads::Tracked& thread, Concerns concerns) const {
  const jvm::Env& env = agent_.jvmti();
  bool is_top = true;
  for (const jvmtiFrameInfo& frame : actual_frames(env, thread->thread)) {
    const auto view = agent_.code_versions().method(frame.method);
    if (view->is_hidden) {
      continue;  // what it returns to has not run its instruction yet
    }
    const bool in_event = is_top && thread->is_in_breakpoint_event;
    is_top = false;
    if (!concerns(frame.method, view->shown)) {
      continue;
    }
    const auto wanted = agent_.breakpoints().indices_in(view->shown);
    if (wanted.empty()) {
      continue;
    }
    const auto code = env.get_bytecodes(view->shown);
    const jlocation at = view->shown_index(frame.location);
    if (!code || std::ranges::any_of(wanted, [&](jlocation to) {
          return (to == at && !in_event) || may_come_to(code->span(), at, to);
        })) {
      return true;
    }
  }
  return false;
}

void OldFrames::watch() const {
  if (!agent_.code_versions().is_on()) {
    return;
  }
  const auto look = [&](const threads::Tracked& thread) {
    if (has_any(thread)) {
      thread->has_old_frames = true;
      agent_.stepper().apply(thread);
    }
  };
  if (const auto self = agent_.threads().current()) {
    look(self);
    return;
  }
  for (const threads::Tracked& thread : agent_.threads().tracked()) {
    look(thread);
  }
}

bool OldFrames::are_watched(bool in_old_frame) const {
  constexpr unsigned kLookEvery = 64;
  const auto self = agent_.threads().current();
  if (!self || !self->has_old_frames) {
    return false;
  }
  if (!in_old_frame && ++self->steps_since_old_frame % kLookEvery == 0) {
    self->has_old_frames = false;
    if (has_any(self)) {
      self->has_old_frames = true;
    }
    agent_.stepper().apply(self);
  }
  return in_old_frame;
}

}  // namespace jvmdebug::agent::probes
