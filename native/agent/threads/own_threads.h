// SPDX-License-Identifier: Apache-2.0
//
// The agent's own threads: started here as daemon threads of the VM, hidden from the debugger,
// never suspended. Part of the ThreadRegistry.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include <jvmti.h>

#include "agent/atomic_shared.h"
#include "agent/jvm/env.h"
#include "agent/jvm/jni.h"
#include "agent/locks/ranked_mutex.h"
#include "codec/result.h"

namespace jvmdebug::agent::threads {

class OwnThreads {
 public:
  // The value in the VM's thread-local storage of our own threads; 0 means a thread that is not
  // tracked.
  static constexpr std::uintptr_t kKey = 1;

  explicit OwnThreads(const jvm::Env& env) : env_(env) {}

  // Starts a thread that runs `body`; an exception ends it. Only in the live phase.
  Result<void> start(const jvm::Jni& jni, const char* name, std::function<void()> body);

  [[nodiscard]] bool contains(const jvm::Jni& jni, jthread thread) const;

  // Waits, on one of these threads, until it is the only one that still runs.
  void wait_for_others() const;

  // Waits until at most `left` of these threads run; false if more do at the deadline.
  [[nodiscard]] bool wait_until_left(int left,
                                     std::chrono::steady_clock::time_point deadline) const;

 private:
  // Outlives the agent until its last thread has left.
  struct Running {
    RankedMutex<Rank::kOwnThreads> mutex;
    Condition changed;
    int threads = 0;
  };

  using List = std::vector<std::shared_ptr<const jvm::GlobalRef<jobject>>>;

  static void count(Running& running, int more);

  const jvm::Env& env_;
  RankedMutex<Rank::kOwnThreads> starting_;
  const std::shared_ptr<Running> running_ = std::make_shared<Running>();
  AtomicShared<const List> list_{std::make_shared<const List>()};
};

}  // namespace jvmdebug::agent::threads
