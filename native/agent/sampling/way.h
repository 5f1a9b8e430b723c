// SPDX-License-Identifier: Apache-2.0
//
// A way of sampling: how the stacks of threads are found. The Sampler calls it on its own thread,
// again and again, under its lock. See SafepointSampling and SignalSampling.
#pragma once

#include <chrono>
#include <cstdint>

#include <jvmti.h>

#include "agent/jvm/jni.h"
#include "agent/sampling/call_tree.h"

namespace jvmdebug::agent::sampling {

struct Settings {
  bool by_cpu = true;  // else by the clock on the wall
  bool by_signals = false;
  std::chrono::microseconds interval{};
  jint frames = 0;  // of a stack, at most
};

class Way {
 public:
  Way() = default;
  Way(const Way&) = delete;
  Way& operator=(const Way&) = delete;
  Way(Way&&) = delete;
  Way& operator=(Way&&) = delete;
  virtual ~Way() = default;

  // Adds what is new to the tree.
  virtual void round(const jvm::Jni& jni, CallTree& tree) = 0;
  // How long to wait until the next round.
  [[nodiscard]] virtual std::chrono::microseconds pause() = 0;
  // CPU time, in nanoseconds, of threads that were never found running.
  [[nodiscard]] virtual std::int64_t unseen() const = 0;
};

}  // namespace jvmdebug::agent::sampling
