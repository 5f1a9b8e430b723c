// SPDX-License-Identifier: Apache-2.0
//
// Frame ids: which frame of which thread, during one suspension. An id is a number that is new for
// each suspension of a thread, and the depth. It is valid until the thread runs again: whoever lets
// a thread run (resume to count 0, invocation, pop) must say so with thread_resumed() first.
// Whether the thread is suspended at all is the caller's question. Thread safe (the monitor of the
// object table).
#pragma once

#include <cstdint>
#include <unordered_map>

#include "agent/ids/object_table.h"

namespace jvmdebug::agent::ids {

class FrameIds {
 public:
  explicit FrameIds(ObjectTable& objects) : objects_(objects) {}

  // Depth 0 is the topmost frame. Depths of 2^24 and more do not occur.
  [[nodiscard]] protocol::FrameId id(jthread thread, jint depth);
  // The depth, or INVALID_FRAMEID when the id is unknown, stale or of another thread.
  [[nodiscard]] Result<jint> depth(jthread thread, protocol::FrameId id) const;

  void thread_resumed(jthread thread);
  void all_threads_resumed();

 private:
  // What was given out for a thread since it was suspended.
  struct Given {
    std::uint64_t suspension = 0;
    jint deepest = 0;
  };

  ObjectTable& objects_;
  std::unordered_map<std::uint64_t, Given> by_thread_;
  std::uint64_t next_suspension_ = 1;
};

}  // namespace jvmdebug::agent::ids
