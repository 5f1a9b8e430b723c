// SPDX-License-Identifier: Apache-2.0
//
// The result of a run of the sampler: stacks as paths in a tree, and the time spent in each by
// thread and state. Each read returns what is new since the last one. Names are looked up when a
// method is found first, so it may be unloaded afterwards. The size is limited: samples that find
// no room are counted. Owned by Sampler, under its lock.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include <jvmti.h>

#include "agent/jvm/env.h"
#include "codec/generated/sampling.h"

namespace jvmdebug::agent::sampling {

// Numbered as on the wire.
enum class ThreadKind : std::int8_t { kPlatform, kVirtual, kOfVm };
enum class State : std::int8_t { kRuns, kBlocked, kWaits, kSleeps, kSuspended, kIdleInNative };

class CallTree {
 public:
  static constexpr std::int32_t kRoot = 0;

  explicit CallTree(const jvm::Env& env) : env_(env) {}

  // Returns the number of a thread; if there are too many of one kind, they share the last number.
  [[nodiscard]] std::int32_t thread(const std::string& name, ThreadKind kind);
  [[nodiscard]] std::int32_t platform_thread(jthread thread);
  // Returns the number that all virtual threads share.
  [[nodiscard]] std::int32_t virtual_threads();
  // Returns the node of a stack, given from the topmost frame down; -1 if there is no room.
  [[nodiscard]] std::int32_t node(std::span<const jvmtiFrameInfo> frames);
  void add(std::int32_t thread, std::int32_t node, State state, std::int64_t time);

  void failed() { ++failed_; }

  // Takes what is new; the caller adds the facts about the run.
  [[nodiscard]] protocol::sampling::ReadReply take();

 private:
  struct Line {
    jlocation start = 0;
    std::int32_t number = -1;
  };

  struct Method {
    std::int32_t number = 0;
    std::vector<Line> lines = {};  // by start
  };

  struct NodeKey {
    std::int32_t parent = 0;
    std::int32_t method = 0;
    std::int32_t line = 0;
    friend bool operator==(const NodeKey&, const NodeKey&) = default;
  };

  struct SampleKey {
    std::int32_t thread = 0;
    std::int32_t node = 0;
    State state = State::kRuns;
    friend bool operator==(const SampleKey&, const SampleKey&) = default;
  };

  struct Hash {
    std::size_t operator()(const NodeKey& key) const noexcept;
    std::size_t operator()(const SampleKey& key) const noexcept;
  };

  struct Sum {
    std::int32_t count = 0;
    std::int64_t time = 0;
  };

  [[nodiscard]] const Method& method(jmethodID id);
  void describe(jmethodID id, Method& method);
  [[nodiscard]] static std::int32_t line_of(const Method& method, jlocation location);

  const jvm::Env& env_;
  std::unordered_map<jmethodID, Method> methods_;
  std::unordered_map<NodeKey, std::int32_t, Hash> nodes_;
  std::unordered_map<SampleKey, Sum, Hash> samples_;
  std::int32_t thread_count_ = 0;
  std::int32_t other_threads_ = -1;
  std::int32_t virtual_threads_ = -1;
  std::int64_t failed_ = 0;
  protocol::sampling::ReadReply news_;  // except the samples
};

}  // namespace jvmdebug::agent::sampling
