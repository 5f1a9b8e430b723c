// SPDX-License-Identifier: Apache-2.0
//
// The platform threads that a run of the sampler looks at, and what it knows of each: its CPU time
// when it was looked at, and its stack then. Those of the agent are left out. Finds threads that
// have begun or ended when it is told to look. Owned by a way of sampling.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include <jvmti.h>

#include "agent/jvm/env.h"
#include "agent/sampling/call_tree.h"
#include "agent/threads/own_threads.h"

namespace jvmdebug::agent::sampling {

using Clock = std::chrono::steady_clock;

struct SampledThread {
  jvm::GlobalRef<jthread> thread;
  std::int32_t number = -1;          // in the tree; -1 before its first sample
  std::int64_t cpu_time = 0;         // when it was looked at last
  std::int64_t owed = 0;             // CPU time that no sample has accounted for yet
  Clock::time_point looked_at = {};  // last
  std::int32_t node = -1;            // what was seen then; -1: nothing
  std::int32_t node_thread = -1;     // whose that stack is: this thread's, or a virtual one's
  State state = State::kRuns;
  std::uint64_t listed = 0;  // in which list it was found last
};

class SampledThreads {
 public:
  SampledThreads(const jvm::Env& env, const threads::OwnThreads& own) : env_(env), own_(own) {}

  SampledThreads(const SampledThreads&) = delete;
  SampledThreads& operator=(const SampledThreads&) = delete;
  SampledThreads(SampledThreads&&) = delete;
  SampledThreads& operator=(SampledThreads&&) = delete;
  ~SampledThreads() = default;

  // Looks for threads that have begun or ended, if that is due.
  void refresh(const jvm::Jni& jni, Clock::time_point now);

  [[nodiscard]] std::vector<std::unique_ptr<SampledThread>>& all() { return threads_; }

  // The CPU time that no sample has accounted for, of those that have ended too.
  [[nodiscard]] std::int64_t unseen() const;

 private:
  [[nodiscard]] SampledThread* find(const jvm::Jni& jni, jthread thread, jint hash) const;
  void add(const jvm::Jni& jni, jthread thread, jint hash, Clock::time_point now);

  const jvm::Env& env_;
  const threads::OwnThreads& own_;
  std::vector<std::unique_ptr<SampledThread>> threads_;
  // Threads by the hash of the Java object. Not in the VM's storage of each thread: HotSpot frees
  // that when the thread ends, without regard to another one that is writing there, and crashes.
  std::unordered_multimap<jint, SampledThread*> by_hash_;
  std::uint64_t lists_ = 0;
  Clock::time_point due_ = {};
  std::int64_t unseen_ = 0;
};

}  // namespace jvmdebug::agent::sampling
