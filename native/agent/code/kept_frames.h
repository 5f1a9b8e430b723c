// SPDX-License-Identifier: Apache-2.0
//
// Frames of methods that a change of their class has left alone. HotSpot counts such a method as
// the same version as before. If a later change of the class changes the method, HotSpot reports
// the indices of these frames as indices in the newest version, where they mean nothing. So a
// method is not changed while it has such frames. The VM does not distinguish them from frames that
// the thread has made since; they are recognized by their place in the stack and by what they can
// still reach. Agent threads.
#pragma once

#include <set>
#include <vector>

#include <jvmti.h>

#include "agent/code/thread_stacks.h"
#include "agent/jvm/jni.h"

namespace jvmdebug::agent::code {

class KeptFrames {
 public:
  explicit KeptFrames(const jvm::Env& env) : env_(env) {}

  // Notes the frames of methods that a change has left alone: all but `changed`.
  void note(const jvm::Jni& jni, const ThreadStacks& stacks, jclass type,
            const std::set<jmethodID>& changed);
  // Whether the method may have such a frame.
  [[nodiscard]] bool has(const jvm::Jni& jni, const ThreadStacks& stacks, jmethodID method);
  // Forgets frames that are gone.
  void look(const jvm::Jni& jni, const ThreadStacks& stacks);

 private:
  struct Frame {
    jvm::WeakRef thread;
    jint thread_hash = 0;
    std::size_t height = 0;  // the number of frames below it
    jmethodID method = nullptr;
    jlocation at = 0;
    unsigned arrivals = 0;  // how often the thread had arrived at breakpoints
  };

  [[nodiscard]] bool is_there(Frame& frame, const ThreadStack& stack) const;

  const jvm::Env& env_;
  std::vector<Frame> frames_;
};

}  // namespace jvmdebug::agent::code
