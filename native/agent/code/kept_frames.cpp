// SPDX-License-Identifier: Apache-2.0
#include "agent/code/kept_frames.h"

#include <algorithm>
#include <unordered_map>

namespace jvmdebug::agent::code {

void KeptFrames::note(const jvm::Jni& jni, const ThreadStacks& stacks, jclass type,
                      const std::set<jmethodID>& changed) {
  look(jni, stacks);
  std::set<jmethodID> alike;
  for (jmethodID const version : versions_in_use(env_, stacks, type)) {
    if (!changed.contains(version) && !env_.is_method_obsolete(version).value_or(false)) {
      alike.insert(version);
    }
  }
  if (alike.empty()) {
    return;
  }
  for (const ThreadStack& stack : stacks) {
    for (std::size_t depth = 0; depth < stack.frames.size(); ++depth) {
      const jvmtiFrameInfo& frame = stack.frames[depth];
      if (alike.contains(frame.method)) {
        frames_.push_back({.thread = jni.weak(stack.thread),
                           .thread_hash = env_.get_object_hash_code(stack.thread).value_or(0),
                           .height = stack.frames.size() - depth - 1,
                           .method = frame.method,
                           .at = frame.location,
                           .arrivals = stack.arrivals});
      }
    }
  }
}

bool KeptFrames::has(const jvm::Jni& jni, const ThreadStacks& stacks, jmethodID method) {
  look(jni, stacks);
  return std::ranges::find(frames_, method, &Frame::method) != frames_.end();
}

void KeptFrames::look(const jvm::Jni& jni, const ThreadStacks& stacks) {
  if (frames_.empty()) {
    return;
  }
  std::unordered_multimap<jint, const ThreadStack*> by_hash;
  for (const ThreadStack& stack : stacks) {
    by_hash.emplace(env_.get_object_hash_code(stack.thread).value_or(0), &stack);
  }
  std::erase_if(frames_, [&](Frame& frame) {
    const auto thread = frame.thread.lock(jni);
    const auto [first, last] = by_hash.equal_range(frame.thread_hash);
    const auto found = std::find_if(first, last, [&](const auto& each) {
      return thread && jni.same(each.second->thread, thread);
    });
    return found == last || !is_there(frame, *found->second);
  });
}

// Whether the frame at that height is still the noted one. It is not if the thread has come to a
// breakpoint there again, or stands where the code does not lead from its last location.
bool KeptFrames::is_there(Frame& frame, const ThreadStack& stack) const {
  if (frame.height >= stack.frames.size()) {
    return false;
  }
  const bool is_top = frame.height + 1 == stack.frames.size();
  const jvmtiFrameInfo& now = stack.frames[stack.frames.size() - frame.height - 1];
  if (now.method != frame.method) {
    return false;
  }
  const bool came_again =
      is_top && stack.is_in_breakpoint_event && stack.arrivals != frame.arrivals;
  if (now.location != frame.at || came_again) {
    const auto code = env_.get_actual_bytecodes(frame.method);
    if (code && !may_come_to(code->span(), frame.at, now.location)) {
      return false;
    }
  }
  frame.at = now.location;
  frame.arrivals = stack.arrivals;
  return true;
}

}  // namespace jvmdebug::agent::code
