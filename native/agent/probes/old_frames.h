// SPDX-License-Identifier: Apache-2.0
//
// Frames that run an older version of a method than new frames do, since the agent has put probes
// into it or taken them out. No breakpoint of the VM is ever set in an older version: the VM frees
// it when the last of its frames is gone, does not know of the breakpoint any more, and crashes at
// the next redefinition of a class. So code is changed only where no frame has a breakpoint before
// it; and where one comes later, the thread runs by single steps until the frame is gone.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_set>
#include <vector>

#include <jvmti.h>

#include "agent/events/code_location.h"
#include "agent/jvm/jni.h"
#include "agent/threads/tracked_thread.h"

namespace jvmdebug::agent {
class Agent;
}

namespace jvmdebug::agent::probes {

// Whether code can come from one instruction to another, or again to itself; true when in doubt.
[[nodiscard]] bool may_come_to(std::span<const std::uint8_t> code, std::int64_t from,
                               std::int64_t to);

// All frames of a thread as the VM has them; empty for one that has ended.
[[nodiscard]] std::vector<jvmtiFrameInfo> actual_frames(const jvm::Env& env, jthread thread);

class OldFrames {
 public:
  explicit OldFrames(Agent& agent) : agent_(agent) {}

  // Agent threads, after a change of code. Makes known which versions of methods old frames run.
  void look(const jvm::Jni& jni) const;
  // Agent threads. The obsolete versions of the methods of a class that frames run.
  [[nodiscard]] std::vector<jmethodID> obsolete_methods(const jvm::Jni& jni, jclass type) const;
  // Agent threads. The methods of a class that frames run, in any version.
  [[nodiscard]] std::vector<jmethodID> methods_in_use(const jvm::Jni& jni, jclass type) const;
  // Agent threads. Those with frames that may come to an instruction of the method, in a version of
  // it without this probe there.
  [[nodiscard]] std::vector<jvm::GlobalRef<jthread>> threads_without(
      const jvm::Jni& jni, const events::CodeLocation& location, std::uint16_t probe) const;
  // Agent threads. Whether a frame of the method may come to a location where a breakpoint is set:
  // then the method's code cannot be changed without losing hits.
  [[nodiscard]] bool would_matter(jmethodID method) const;
  // Any thread, after a breakpoint was set in a method or its code was changed: has the threads
  // step that have older frames of methods with breakpoints. Of threads of the program only the
  // current.
  void watch() const;
  // On the thread itself, which has made a step: whether it is in such a frame.
  [[nodiscard]] bool are_watched(bool in_old_frame) const;

 private:
  template <class Look>
  void for_each_thread(const jvm::Jni& jni, Look look) const;
  [[nodiscard]] std::unordered_set<jmethodID> versions_in_use(const jvm::Jni& jni) const;
  [[nodiscard]] bool declares(const jvm::Jni& jni, jclass type, jmethodID method) const;
  [[nodiscard]] bool has_any(const threads::Tracked& thread) const;
  [[nodiscard]] bool would_matter(const threads::Tracked& thread, jmethodID method) const;
  template <class Concerns>
  [[nodiscard]] bool any_comes_to_breakpoint(const threads::Tracked& thread,
                                             Concerns concerns) const;

  Agent& agent_;
};

}  // namespace jvmdebug::agent::probes
