// SPDX-License-Identifier: Apache-2.0
//
// What threads run, as the VM has it. Stacks decide which methods of a class may be changed.
#pragma once

#include <cstdint>
#include <set>
#include <span>
#include <vector>

#include <jvmti.h>

#include "agent/jvm/env.h"
#include "agent/jvm/jni.h"

namespace jvmdebug::agent::code {

// Whether control can get from one instruction to another, or to itself again. True in case of
// doubt.
[[nodiscard]] bool may_come_to(std::span<const std::uint8_t> code, std::int64_t from,
                               std::int64_t to);

// Returns all frames of a thread as the VM has them; none for a thread that has ended.
[[nodiscard]] std::vector<jvmtiFrameInfo> actual_frames(const jvm::Env& env, jthread thread);

// Returns the same for each of these platform threads, together: from JDK 21 on each question about
// one thread goes through all threads in the VM.
[[nodiscard]] std::vector<std::vector<jvmtiFrameInfo>> actual_frames(
    const jvm::Env& env, std::span<const jthread> threads);

// The stack of a thread.
struct ThreadStack {
  jvm::LocalRef<jthread> thread;
  bool is_virtual = false;
  bool is_in_breakpoint_event = false;  // in the topmost frame that the debugger sees
  unsigned arrivals = 0;                // how often it has arrived at breakpoints
  std::vector<jvmtiFrameInfo> frames;
};

using ThreadStacks = std::vector<ThreadStack>;

// Whether a thread that runs one of the methods is neither waiting nor suspended.
[[nodiscard]] bool is_any_running(const jvm::Env& env, const ThreadStacks& stacks,
                                  const std::set<jmethodID>& methods);

// Returns the versions of the methods of a class that frames run.
[[nodiscard]] std::vector<jmethodID> versions_in_use(const jvm::Env& env,
                                                     const ThreadStacks& stacks, jclass type);

}  // namespace jvmdebug::agent::code
