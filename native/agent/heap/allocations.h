// SPDX-License-Identifier: Apache-2.0
//
// Samples allocations: how much is allocated at each site (a class and a stack), and how much of it
// is still alive. The VM takes the samples (SampledObjectAlloc), at about the same distance in
// bytes; each sampled object gets a tag in a separate environment, so that its death is reported.
// Memory: as many sites as the debugger allows, and some bytes for each live sampled object. Called
// by the commands Heap.StartAllocations, Allocations and StopAllocations.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include <jvmti.h>

#include "agent/jvm/env.h"
#include "agent/locks/ranked_mutex.h"
#include "codec/result.h"

namespace jvmdebug::agent {
class Agent;
}

namespace jvmdebug::agent::heap {

struct AllocationSite {
  std::string signature;  // of the class, in modified UTF-8
  std::vector<jvmtiFrameInfo> stack;
  std::int64_t samples = 0;
  std::int64_t bytes = 0;  // estimated, like all bytes here
  std::int64_t live_samples = 0;
  std::int64_t live_bytes = 0;
};

struct AllocationCounts {
  std::int64_t samples = 0;
  std::int64_t bytes = 0;
  std::int64_t left_out = 0;
  std::vector<AllocationSite> sites;
};

class Allocations {
 public:
  struct Settings {
    std::int32_t interval = 0;
    std::int32_t depth = 0;
    std::int32_t sites = 0;
  };

  static constexpr std::int32_t kDeepest = 128;

  explicit Allocations(Agent& agent) : agent_(agent) {}

  // These functions are called on the thread that runs commands.
  [[nodiscard]] Result<void> start(const Settings& settings);
  [[nodiscard]] AllocationCounts counts();

  // The environment that reports the samples; null before the first start.
  [[nodiscard]] const jvm::Env* env() const { return env_.get(); }

  // Takes no more samples; keeps what was counted.
  void end();
  void forget();
  // Stops the events; callbacks that have begun may still run.
  void stop();

 private:
  struct Sample {
    std::size_t site = 0;
    std::int64_t bytes = 0;
  };

  [[nodiscard]] static Allocations* of(jvmtiEnv* raw);
  static void JNICALL object_sampled(jvmtiEnv* raw, JNIEnv* jni, jthread thread, jobject object,
                                     jclass type, jlong size);
  static void JNICALL object_freed(jvmtiEnv* raw, jlong tag);

  [[nodiscard]] jvm::Result<void> make_environment();
  void sampled(jobject object, jclass type, jlong size);
  void freed(jlong tag);
  // Returns the index of a site; one behind the last if there are too many. Under the lock.
  [[nodiscard]] std::size_t site_of(std::string_view signature,
                                    std::span<const jvmtiFrameInfo> stack);

  Agent& agent_;
  std::unique_ptr<jvm::Env> env_;
  bool is_on_ = false;
  // Taken where the VM frees objects, so no call into the VM is made while it is held.
  RankedMutex<Rank::kHeapEvents> mutex_;
  Settings settings_;
  AllocationCounts counts_;
  std::unordered_map<std::string, std::size_t> by_key_;
  std::unordered_map<jlong, Sample> live_;  // by tag
  jlong next_tag_ = 1;
};

}  // namespace jvmdebug::agent::heap
