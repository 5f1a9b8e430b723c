// SPDX-License-Identifier: Apache-2.0
#include "agent/code/thread_stacks.h"

#include <algorithm>
#include <cstddef>
#include <unordered_set>
#include <utility>

#include "classfile/bytecode.h"
#include "classfile/code_flow.h"
#include "classfile/instructions.h"

namespace jvmdebug::agent::code {

std::vector<jvmtiFrameInfo> actual_frames(const jvm::Env& env, jthread thread) {
  // The thread may run on between the two calls and push its lowest frames out of the range.
  constexpr std::size_t kMore = 32;
  for (std::size_t most = kMore;; most *= 2) {
    std::vector<jvmtiFrameInfo> frames(
        most + static_cast<std::size_t>(env.get_frame_count(thread).value_or(0)));
    const auto count =
        static_cast<std::size_t>(env.get_actual_stack_trace(thread, 0, frames).value_or(0));
    if (count < frames.size()) {
      frames.resize(count);
      return frames;
    }
  }
}

std::vector<std::vector<jvmtiFrameInfo>> actual_frames(const jvm::Env& env,
                                                       std::span<const jthread> threads) {
  constexpr std::size_t kTogether = 200;
  constexpr std::size_t kMost = 256;  // deeper stacks are read alone
  std::vector<std::vector<jvmtiFrameInfo>> found;
  found.reserve(threads.size());
  const jvm::Jni jni = env.jni();
  while (found.size() < threads.size()) {
    const auto part =
        threads.subspan(found.size(), std::min(kTogether, threads.size() - found.size()));
    const auto stacks = env.get_thread_list_stack_traces(part, kMost);
    for (std::size_t at = 0; at < part.size(); ++at) {
      if (!stacks) {
        found.push_back(actual_frames(env, part[at]));
        continue;
      }
      const jvmtiStackInfo& stack = (*stacks)[at];
      // HotSpot returns the same reference that it was given.
      const auto owned = jni.adopt(stack.thread == part[at] ? nullptr : stack.thread);
      const auto count = static_cast<std::size_t>(stack.frame_count);
      const std::span frames(stack.frame_buffer, count);
      found.push_back(count < kMost ? std::vector<jvmtiFrameInfo>(frames.begin(), frames.end())
                                    : actual_frames(env, part[at]));
    }
  }
  return found;
}

bool is_any_running(const jvm::Env& env, const ThreadStacks& stacks,
                    const std::set<jmethodID>& methods) {
  constexpr jint kRuns = JVMTI_THREAD_STATE_RUNNABLE | JVMTI_THREAD_STATE_SUSPENDED;
  return std::ranges::any_of(stacks, [&](const ThreadStack& stack) {
    return std::ranges::any_of(
               stack.frames,
               [&](const jvmtiFrameInfo& frame) { return methods.contains(frame.method); }) &&
           (env.get_thread_state(stack.thread).value_or(0) & kRuns) == JVMTI_THREAD_STATE_RUNNABLE;
  });
}

// Forward, control may reach everything. Backward it gets by branches that lie behind, and by
// handlers of exceptions.
bool may_come_to(std::span<const std::uint8_t> code, std::int64_t from, std::int64_t to) {
  if (to > from) {
    return true;
  }
  std::int64_t reached = from + 1;  // everything from here on can be reached
  for (const std::size_t handler : classfile::exception_blocks(code)) {
    reached = std::min(reached, static_cast<std::int64_t>(handler));
  }
  const auto all = classfile::instructions(code);
  if (all.empty()) {
    return true;
  }
  for (bool grows = true; grows;) {
    grows = false;
    for (const std::size_t at : all) {
      // The instruction at `from` counts too.
      if (std::cmp_less(at, std::min(reached, from))) {
        continue;
      }
      for (const auto& branch :
           classfile::branch_offsets(code, at, classfile::instruction_size(code, at))) {
        const auto target = static_cast<std::int64_t>(at) + branch.offset;
        grows |= target < reached;
        reached = std::min(reached, target);
      }
    }
  }
  return to >= reached;
}

std::vector<jmethodID> versions_in_use(const jvm::Env& env, const ThreadStacks& stacks,
                                       jclass type) {
  const jvm::Jni jni = env.jni();
  std::unordered_set<jmethodID> seen;
  std::vector<jmethodID> found;
  for (const ThreadStack& stack : stacks) {
    for (const jvmtiFrameInfo& frame : stack.frames) {
      if (!seen.insert(frame.method).second) {
        continue;
      }
      const auto declaring = env.get_method_declaring_class(frame.method);
      const auto owned = jni.adopt(declaring.value_or(nullptr));
      if (owned && jni.same(owned, type)) {
        found.push_back(frame.method);
      }
    }
  }
  return found;
}

}  // namespace jvmdebug::agent::code
