// SPDX-License-Identifier: Apache-2.0
//
// Samples by asking each thread for its stack (GetStackTrace). Since 17 that is a handshake: only
// this thread is stopped, at its next safepoint, while the others run; a thread that is in native
// code or waits is not stopped at all. In 11 it is a safepoint of the whole VM. The locations are
// therefore biased towards safepoints, but the time is the thread's own: each sample has the CPU
// time since the previous one (or the wall-clock time). A thread whose CPU time has not changed has
// not run, so its stack is the previous one, and it is not read.
//
// A round that takes long is interrupted and continued by the next one, so that sampling takes at
// most a fifth of one processor.
#pragma once

#include <cstddef>
#include <random>
#include <vector>

#include "agent/jvm/carried_threads.h"
#include "agent/jvm/env.h"
#include "agent/sampling/sampled_threads.h"
#include "agent/sampling/way.h"

namespace jvmdebug::agent::sampling {

class SafepointSampling : public Way {
 public:
  // `env` is the agent's environment; `own` the sampler's, for CPU times and thread-local storage.
  SafepointSampling(const jvm::Env& env, const jvm::Env& own, const threads::OwnThreads& others,
                    const Settings& settings);

  void round(const jvm::Jni& jni, CallTree& tree) override;
  [[nodiscard]] std::chrono::microseconds pause() override;

  [[nodiscard]] std::int64_t unseen() const override;

 private:
  void look_at(const jvm::Jni& jni, CallTree& tree, SampledThread& thread);
  [[nodiscard]] bool read_stack(CallTree& tree, SampledThread& thread, jthread carried);

  const jvm::Env& env_;
  const jvm::Env& own_;
  const Settings settings_;
  jvm::CarriedThreads carried_;
  SampledThreads threads_;
  std::size_t next_ = 0;
  std::vector<jvmtiFrameInfo> frames_;
  Clock::duration took_ = {};
  std::minstd_rand random_;
};

}  // namespace jvmdebug::agent::sampling
