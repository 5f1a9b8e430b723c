// SPDX-License-Identifier: Apache-2.0
//
// The sampling profiler: one run at a time, on a thread of the agent that is started with the first
// run of a connection and ends with it. Owns the life of a run; the Way finds the stacks. Called by
// the command set Sampling.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>

#include "agent/jvm/env.h"
#include "agent/locks/ranked_mutex.h"
#include "agent/sampling/call_tree.h"
#include "agent/sampling/way.h"
#include "codec/generated/sampling.h"
#include "codec/result.h"

namespace jvmdebug::agent {

class Agent;

namespace sampling {

class Sampler {
 public:
  explicit Sampler(Agent& agent) : agent_(agent) {}

  // Begins a run, in place of the current one.
  [[nodiscard]] Result<void> start(const Settings& settings);
  [[nodiscard]] protocol::sampling::ReadReply read();
  void stop();
  // Called at the end of the connection or of the VM: returns when nothing is sampled any more and
  // the thread has ended. Not on the sampler's thread.
  void end();

 private:
  struct Run {
    Run(jvm::Env own_env, const jvm::Env& env) : own(std::move(own_env)), tree(env) {}

    jvm::Env own;
    CallTree tree;
    std::unique_ptr<Way> way = {};  // null once it is stopped
    std::chrono::steady_clock::time_point start = {};
    std::int64_t start_cpu = 0;  // of the process
    std::int64_t rounds = 0;
    std::int64_t sampler_cpu = 0;
    std::int64_t unseen = 0;
  };

  [[nodiscard]] Result<void> start_thread();
  void run();
  void round(const jvm::Jni& jni);
  void finish(Run& run);

  Agent& agent_;
  RankedMutex<Rank::kSampling> mutex_;
  Condition changed_;
  std::unique_ptr<Run> run_;
  bool has_thread_ = false;
  bool is_ending_ = false;
};

}  // namespace sampling
}  // namespace jvmdebug::agent
