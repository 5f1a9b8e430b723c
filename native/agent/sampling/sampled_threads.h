// SPDX-License-Identifier: Apache-2.0
//
// The platform threads of a run of the sampler, and for each its CPU time and stack at the last
// look. Threads of the agent are left out. Finds threads that have begun or ended when refresh() is
// called. Owned by a way of sampling.
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
  std::int64_t cpu_time = 0;         // at the last look
  std::int64_t owed = 0;             // CPU time that no sample has accounted for yet
  Clock::time_point looked_at = {};  // the last look
  std::int32_t node = -1;            // its node at the last look; -1: none
  std::int32_t node_thread = -1;     // the owner of that stack: this thread or a virtual one
  State state = State::kRuns;
  std::uint64_t listed = 0;  // the number of the last list that had it
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

  // The CPU time that no sample has accounted for, including that of ended threads.
  [[nodiscard]] std::int64_t unseen() const;

 private:
  [[nodiscard]] SampledThread* find(const jvm::Jni& jni, jthread thread, jint hash) const;
  void add(const jvm::Jni& jni, jthread thread, jint hash, Clock::time_point now);

  const jvm::Env& env_;
  const threads::OwnThreads& own_;
  std::vector<std::unique_ptr<SampledThread>> threads_;
  // Threads by the hash of the Java object. The VM's thread-local storage is not used: HotSpot
  // frees it when the thread ends, even while another thread writes to it, and crashes.
  std::unordered_multimap<jint, SampledThread*> by_hash_;
  std::uint64_t lists_ = 0;
  Clock::time_point due_ = {};
  std::int64_t unseen_ = 0;
};

}  // namespace jvmdebug::agent::sampling
