// SPDX-License-Identifier: Apache-2.0
//
// Finds what all threads do, for Threads.Dump. Reads stacks and locks, and looks up names, lines,
// ids and times afterwards. Runs no code of the program. On the agent thread that carries out
// commands.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include <jvmti.h>

#include "agent/agent.h"
#include "agent/jvm/jni.h"
#include "agent/thread_dump/jdk_fields.h"
#include "agent/thread_dump/lock_table.h"
#include "agent/thread_dump/stacks.h"
#include "agent/threads/tracked_thread.h"
#include "codec/generated/threads.h"
#include "codec/result.h"

namespace jvmdebug::agent::thread_dump {

struct Limits {
  jint frames = 0;                  // of each thread
  std::size_t virtual_threads = 0;  // how many there are
};

// The parts of a dump that show the same moment. The values are those of the wire.
enum class Consistency : std::uint8_t {
  kNone,    // none: each thread is read separately, and no other one waits for it
  kStacks,  // stacks and states, in one safepoint of the VM; of virtual threads some together
  kAll,     // locks too; all threads are suspended meanwhile
};

class ThreadDump {
 public:
  static Result<protocol::threads::DumpReply> take(Agent& agent, const Limits& limits,
                                                   Consistency consistency);

 private:
  struct Thread {
    jvm::LocalRef<jthread> thread;
    bool is_virtual = false;
    jint state = 0;
    std::int32_t stack = 0;
    std::int32_t waits_for = -1;
    std::vector<std::pair<std::int32_t, jint>> held = {};  // lock and depth
  };

  ThreadDump(Agent& agent, const Limits& limits, Consistency consistency, JdkFields fields);

  [[nodiscard]] Result<void> read();
  [[nodiscard]] Result<void> read_at_once();
  [[nodiscard]] Result<void> read_one_by_one();
  [[nodiscard]] Result<void> read_virtual_threads();
  [[nodiscard]] Result<void> read_together(std::vector<jvm::LocalRef<jthread>> threads);
  void read_alone(jvm::LocalRef<jthread> thread, bool is_virtual);
  void add(jvm::LocalRef<jthread> thread, jint state, std::span<jvmtiFrameInfo> frames,
           bool is_virtual);
  [[nodiscard]] jint shown(jthread thread, std::span<jvmtiFrameInfo> frames) const;
  void read_wait(Thread& thread);
  void read_monitors(Thread& thread, jint hidden);
  void describe(protocol::threads::DumpReply& reply);
  void describe(const Thread& thread, protocol::threads::DumpReply::Thread& written);

  Agent& agent_;
  const jvm::Env& env_;
  const jvm::Jni jni_;
  const JdkFields fields_;
  const Limits limits_;
  const Consistency consistency_;
  std::chrono::nanoseconds held_{0};
  const std::size_t read_frames_;
  bool knows_monitors_ = false;
  std::size_t virtual_threads_ = 0;
  std::vector<jvmtiFrameInfo> buffer_;
  // Threads in an event of the agent, whose topmost frames are hidden.
  std::vector<threads::Tracked> hiding_;
  std::vector<Thread> threads_;
  Stacks stacks_;
  LockTable locks_;
};

}  // namespace jvmdebug::agent::thread_dump
