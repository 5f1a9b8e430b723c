// SPDX-License-Identifier: Apache-2.0
//
// Frames that run an older version of a method than new frames do, since the agent has put probes
// into it or taken them out. No breakpoint of the VM is ever set in an older version: the VM frees
// it when the last of its frames is gone, does not know of the breakpoint any more, and crashes at
// the next redefinition of a class. So code is changed only where no frame has a breakpoint before
// it; and where one comes later, the thread runs by single steps until the frame is gone.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include <jvmti.h>

#include "agent/code/thread_stacks.h"
#include "agent/events/code_location.h"
#include "agent/jvm/env.h"
#include "agent/jvm/jni.h"
#include "agent/locks/ranked_mutex.h"
#include "agent/threads/tracked_thread.h"

namespace jvmdebug::agent::code {
class CodeVersions;
}

namespace jvmdebug::agent::events {
class Breakpoints;
}

namespace jvmdebug::agent::threads {
class Stepper;
class ThreadRegistry;
}  // namespace jvmdebug::agent::threads

namespace jvmdebug::agent::probes {

class OldFrames {
 public:
  OldFrames(const jvm::Env& env, code::CodeVersions& versions, threads::ThreadRegistry& threads,
            threads::Stepper& stepper, events::Breakpoints& breakpoints)
      : env_(env),
        versions_(versions),
        threads_(threads),
        stepper_(stepper),
        breakpoints_(breakpoints) {}

  // Agent threads. What all threads run, virtual ones too; those that are unmounted as well. None
  // if there are too many virtual threads to look at each.
  [[nodiscard]] std::optional<code::ThreadStacks> stacks(const jvm::Jni& jni) const;
  // Agent threads. The same, but then of platform threads and virtual threads that the agent knows.
  [[nodiscard]] code::ThreadStacks stacks_or_known(const jvm::Jni& jni) const;

  // Agent threads, after a change of code. Makes known which versions of methods old frames run,
  // and notes the virtual threads that have such frames: there are never more until the next
  // change.
  void look(const jvm::Jni& jni, const code::ThreadStacks& stacks);
  // Agent threads. Those with frames that may come to an instruction of the method, in a version of
  // it without this probe there.
  [[nodiscard]] std::vector<jvm::GlobalRef<jthread>> threads_without(
      const jvm::Jni& jni, const events::CodeLocation& location, std::uint16_t probe) const;
  // Agent threads. Whether a frame of the method may come to a location where a breakpoint is set:
  // then the method's code cannot be changed without losing hits.
  [[nodiscard]] bool would_matter(const code::ThreadStacks& stacks, jmethodID method) const;

  // Any thread, after a breakpoint was set in a method or its code was changed: has the threads
  // step that have older frames of methods with breakpoints. Of threads of the program only the
  // current.
  void watch() const;
  // Agent threads, after a breakpoint was removed: those that step for nothing do so no more.
  void breakpoint_removed() const;
  // On the thread itself, which has made a step: whether it is in such a frame.
  [[nodiscard]] bool are_watched(bool in_old_frame) const;

 private:
  using WeakThreads = std::vector<jvm::WeakRef>;

  class Known;

  [[nodiscard]] code::ThreadStacks known_stacks(const jvm::Jni& jni) const;
  [[nodiscard]] code::ThreadStack stack_of(const jvm::Jni& jni, const Known& known, jthread thread,
                                           bool is_virtual) const;
  [[nodiscard]] bool has_any(const threads::Tracked& thread) const;
  void step_if_in_old_frame(const threads::Tracked& thread) const;
  void step_no_more(const threads::Tracked& thread) const;
  template <class Concerns>
  [[nodiscard]] bool any_comes_to_breakpoint(std::span<const jvmtiFrameInfo> frames,
                                             bool is_in_breakpoint_event, Concerns concerns) const;

  const jvm::Env& env_;
  code::CodeVersions& versions_;
  threads::ThreadRegistry& threads_;
  threads::Stepper& stepper_;
  events::Breakpoints& breakpoints_;
  mutable RankedMutex<Rank::kOldFrames> mutex_;
  std::shared_ptr<const WeakThreads> virtual_;  // those with old frames, at the last look
};

}  // namespace jvmdebug::agent::probes
