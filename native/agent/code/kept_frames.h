// SPDX-License-Identifier: Apache-2.0
//
// Frames of methods that a change of their class has left alone. HotSpot takes such a method for
// the same version as before; once a later change of the class changes the method, it gives these
// frames for frames of the newest version, with indices that have no meaning in it. So a method is
// not changed while there are any. The VM does not tell them from frames that the thread has made
// since: they are known by their place in the stack, and by what they may come to. Agent threads.
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

  // After a change of a class, in which only these methods came out as others.
  void note(const jvm::Jni& jni, const ThreadStacks& stacks, jclass type,
            const std::set<jmethodID>& changed);
  // Whether there may be one of the method.
  [[nodiscard]] bool has(const jvm::Jni& jni, const ThreadStacks& stacks, jmethodID method);
  // Drops those that are gone.
  void look(const jvm::Jni& jni, const ThreadStacks& stacks);

 private:
  struct Frame {
    jvm::WeakRef thread;
    jint thread_hash = 0;
    std::size_t height = 0;  // of frames below it
    jmethodID method = nullptr;
    jlocation at = 0;
    unsigned arrivals = 0;  // of the thread at breakpoints
  };

  [[nodiscard]] bool is_there(Frame& frame, const ThreadStack& stack) const;

  const jvm::Env& env_;
  std::vector<Frame> frames_;
};

}  // namespace jvmdebug::agent::code
