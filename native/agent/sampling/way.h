// SPDX-License-Identifier: Apache-2.0
//
// A way of sampling, which finds the stacks of threads. The Sampler calls it repeatedly on its own
// thread, under its lock. See SafepointSampling and SignalSampling.
#pragma once

#include <chrono>
#include <cstdint>

#include <jvmti.h>

#include "agent/jvm/jni.h"
#include "agent/sampling/call_tree.h"

namespace jvmdebug::agent::sampling {

struct Settings {
  bool by_cpu = true;  // else by wall-clock time
  bool by_signals = false;
  std::chrono::microseconds interval{};
  jint frames = 0;  // the largest number of a stack
};

class Way {
 public:
  Way() = default;
  Way(const Way&) = delete;
  Way& operator=(const Way&) = delete;
  Way(Way&&) = delete;
  Way& operator=(Way&&) = delete;
  virtual ~Way() = default;

  // Takes samples and adds them to the tree.
  virtual void round(const jvm::Jni& jni, CallTree& tree) = 0;
  // The time to wait until the next round.
  [[nodiscard]] virtual std::chrono::microseconds pause() = 0;
  // The CPU time, in nanoseconds, of threads that were never found running.
  [[nodiscard]] virtual std::int64_t unseen() const = 0;
};

}  // namespace jvmdebug::agent::sampling
