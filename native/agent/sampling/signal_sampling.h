// SPDX-License-Identifier: Apache-2.0
//
// Samples by timers on the CPU time of each thread: the kernel interrupts it wherever it is, and
// HotSpot's AsyncGetCallTrace reads its stack. Not biased towards safepoints; threads of the VM
// itself (GC, compilers) are sampled as well. No specification covers AsyncGetCallTrace, so this is
// used only on request.
//
// The function returns only methods that have a jmethodID. The ids of all loaded classes are made
// before, those of other classes when they are prepared.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

#include <jvmti.h>

#include "agent/jvm/env.h"
#include "agent/platform/timers.h"
#include "agent/sampling/sampled_threads.h"
#include "agent/sampling/signal_handler.h"
#include "agent/sampling/way.h"

namespace jvmdebug::agent::sampling {

class SignalSampling : public Way {
 public:
  // Begins to sample; NOT_AVAILABLE if the VM does not have the function, the system has no such
  // timers, or another profiler uses the signal.
  [[nodiscard]] static jvm::Result<std::unique_ptr<SignalSampling>> create(
      const jvm::Env& env, const jvm::Env& own, const threads::OwnThreads& others,
      const Settings& settings);
  ~SignalSampling() override;
  SignalSampling(const SignalSampling&) = delete;
  SignalSampling& operator=(const SignalSampling&) = delete;
  SignalSampling(SignalSampling&&) = delete;
  SignalSampling& operator=(SignalSampling&&) = delete;

  void round(const jvm::Jni& jni, CallTree& tree) override;
  [[nodiscard]] std::chrono::microseconds pause() override;

  [[nodiscard]] std::int64_t unseen() const override { return 0; }

 private:
  struct Timer {
    std::unique_ptr<platform::ThreadTimer> timer;  // null if there is none
    std::uint64_t listed = 0;
    std::int32_t number = -1;  // the number in the tree, for a thread of the VM
  };

  SignalSampling(const jvm::Env& env, const jvm::Env& own, const threads::OwnThreads& others,
                 const Settings& settings, std::unique_ptr<StackRing> ring);

  [[nodiscard]] jvm::Result<void> make_method_ids();
  [[nodiscard]] jvm::Result<void> find_fields(const jvm::Jni& jni);
  void set_timers();
  void list_threads(const jvm::Jni& jni, Clock::time_point now);
  void add(const jvm::Jni& jni, CallTree& tree, const Interrupted& is,
           std::span<const AsyncFrame> frames);
  [[nodiscard]] std::int32_t number_of(const jvm::Jni& jni, CallTree& tree, JNIEnv* env);
  [[nodiscard]] std::int32_t number_of_task(CallTree& tree, platform::ThreadNumber task);

  const jvm::Env& env_;
  const jvm::Env& own_;
  const Settings settings_;
  SampledThreads threads_;
  std::unique_ptr<StackRing> ring_;
  std::unordered_map<platform::ThreadNumber, Timer> timers_;
  std::unordered_map<const void*, SampledThread*> by_env_;
  std::vector<jvmtiFrameInfo> frames_;
  jfieldID thread_address_ = nullptr;          // Thread.eetop: where HotSpot has its own object
  std::intptr_t env_offset_ = 0;               // of the JNI environment in it
  jmethodID run_of_virtual_thread_ = nullptr;  // the frames below it are the carrier's
  std::uint64_t lists_ = 0;
  Clock::time_point timers_due_ = {};
  std::int32_t ended_thread_ = -1;
  bool has_handler_ = false;
};

}  // namespace jvmdebug::agent::sampling
