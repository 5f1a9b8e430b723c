// SPDX-License-Identifier: Apache-2.0
//
// Frame ids: which frame of which thread, during one suspension. An id is a number that is new for
// each suspension of a thread, and the depth. It is valid until the thread runs again: before a
// thread runs (resume to count 0, invocation, pop), thread_resumed() must be called. The caller
// checks whether the thread is suspended at all. Thread safe (the monitor of the
// object table).
//
// Also caches the whole stack of the thread that was requested last: the VM walks from the top to
// each frame, so reading a deep stack frame by frame would take quadratic time.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "agent/ids/object_table.h"

namespace jvmdebug::agent::ids {

class FrameIds {
 public:
  // The number of frames at the top of a suspended thread's stack that are hidden from the
  // debugger.
  using Hidden = std::function<jint(jthread)>;

  FrameIds(const jvm::Env& env, ObjectTable& objects, Hidden hidden)
      : env_(env), objects_(objects), hidden_(std::move(hidden)) {}

  // Returns the id of the topmost frame. The id of the frame at a depth is id + depth; the ids down
  // to `deepest` are valid from now on. Depths of 2^24 and more do not occur.
  [[nodiscard]] protocol::FrameId first(jthread thread, jint deepest);

  // Returns the id of one frame.
  [[nodiscard]] protocol::FrameId id(jthread thread, jint depth) {
    return protocol::FrameId{first(thread, depth).raw + static_cast<std::uint64_t>(depth)};
  }

  // Returns the depth for JVM TI, or INVALID_FRAMEID when the id is unknown, stale or of another
  // thread.
  [[nodiscard]] Result<jint> depth(jthread thread, protocol::FrameId id) const;

  // Returns `length` frames of a suspended thread, beginning at depth `start`; all of them if
  // `length` is -1. Returns INVALID_INDEX or INVALID_LENGTH when there are fewer frames.
  [[nodiscard]] Result<std::vector<jvmtiFrameInfo>> frames(jthread thread, jint start, jint length);
  // Returns the number of frames of a suspended thread.
  [[nodiscard]] Result<jint> count(jthread thread);

  void thread_resumed(jthread thread);
  void all_threads_resumed();

 private:
  // The ids that were given out for a thread since it was suspended.
  struct Given {
    std::uint64_t suspension = 0;
    jint deepest = 0;
  };

  [[nodiscard]] Result<std::span<const jvmtiFrameInfo>> whole(jthread thread, jint hidden);
  [[nodiscard]] bool is_kept(jthread thread) const;

  const jvm::Env& env_;
  ObjectTable& objects_;
  const Hidden hidden_;  // takes locks: not to be called under the monitor
  std::unordered_map<std::uint64_t, Given> by_thread_;
  std::uint64_t next_suspension_ = 1;
  std::vector<jvmtiFrameInfo> stack_;
  std::uint64_t stack_of_ = 0;  // the number of its suspension
};

}  // namespace jvmdebug::agent::ids
