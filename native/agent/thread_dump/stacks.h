// SPDX-License-Identifier: Apache-2.0
//
// The stacks of a dump, each once, and the code locations in them. Stacks are added while threads
// may be suspended, with few calls into the VM; names and lines are looked up afterwards. A method
// that was unloaded meanwhile has no name.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <jvmti.h>

#include "agent/agent.h"
#include "codec/generated/threads.h"

namespace jvmdebug::agent::thread_dump {

class Stacks {
 public:
  struct Entry {
    std::int32_t index = 0;
    // Whether one of the methods may hold a monitor.
    bool may_lock = false;
  };

  explicit Stacks(Agent& agent) : agent_(agent) {}

  // Adds the frames that the debugger sees, and keeps the topmost `most`; `depth` is the number of
  // all frames.
  Entry add(std::span<const jvmtiFrameInfo> all, jint depth, std::size_t most);

  // Called once, when all stacks are added.
  void describe(protocol::threads::DumpReply& reply);

 private:
  struct Stack {
    std::vector<jvmtiFrameInfo> frames;
    jint depth = 0;
    bool may_lock = false;
  };

  struct Method {
    protocol::threads::DumpReply::Site site;
    std::vector<jvmtiLineNumberEntry> lines;
    bool is_native = false;
    bool has_strata = false;
  };

  struct FrameHash {
    std::size_t operator()(const jvmtiFrameInfo& frame) const;
  };

  struct SameFrame {
    bool operator()(const jvmtiFrameInfo& one, const jvmtiFrameInfo& other) const {
      return one.method == other.method && one.location == other.location;
    }
  };

  [[nodiscard]] bool may_lock(std::span<const jvmtiFrameInfo> frames, jint depth);
  [[nodiscard]] bool may_lock(jmethodID method);
  [[nodiscard]] const Method& method(jmethodID method);
  [[nodiscard]] protocol::threads::DumpReply::Site site(const jvmtiFrameInfo& frame);
  void locate_tops(protocol::threads::DumpReply& reply) const;

  Agent& agent_;
  std::deque<Stack> stacks_;  // a stack never moves, because its bytes are keys
  std::unordered_multimap<std::string_view, std::int32_t> by_bytes_;
  std::unordered_map<jmethodID, bool> locking_;
  std::unordered_map<jmethodID, Method> methods_;
};

}  // namespace jvmdebug::agent::thread_dump
