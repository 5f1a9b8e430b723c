// SPDX-License-Identifier: Apache-2.0
//
// Frames that run an older version of a method, because the agent has put probes into the method or
// taken them out since they began. The agent sets no breakpoint of the VM in an older version: the
// VM frees that version with its last frame, does not know of the breakpoint any more, and crashes
// at the next redefinition of a class. So code is changed only where no frame can come to a
// breakpoint. If a breakpoint is set later, threads with such frames run by single steps until the
// frames are gone.
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

  // Returns the stacks of all threads, with those of virtual threads, mounted or not. None if there
  // are too many virtual threads. Agent threads.
  [[nodiscard]] std::optional<code::ThreadStacks> stacks(const jvm::Jni& jni) const;
  // Returns the same, or, if there are too many virtual threads, the stacks of platform threads and
  // of virtual threads that the agent knows. Agent threads.
  [[nodiscard]] code::ThreadStacks stacks_or_known(const jvm::Jni& jni) const;

  // Reads the versions that frames run, so that CodeVersions knows them, and notes the virtual
  // threads with old frames: until the next change of code there are no others. Called after a
  // change. Agent threads.
  void look(const jvm::Jni& jni, const code::ThreadStacks& stacks);
  // Returns the threads with a frame that may come to the location in a version of its method
  // without this probe. Agent threads.
  [[nodiscard]] std::vector<jvm::GlobalRef<jthread>> threads_without(
      const jvm::Jni& jni, const events::CodeLocation& location, std::uint16_t probe) const;
  // Whether a frame of the method may come to a breakpoint, so that hits would be lost if the code
  // of the method changed. Agent threads.
  [[nodiscard]] bool would_matter(const code::ThreadStacks& stacks, jmethodID method) const;

  // Has the threads step that have old frames of methods with breakpoints. Called after a
  // breakpoint was set or code was changed. On a thread of the program it looks only at that
  // thread. Any thread.
  void watch() const;
  // Ends steps that are no longer needed, after a breakpoint was removed. Agent threads.
  void breakpoint_removed() const;
  // Whether the current thread, which has made a step, is to report breakpoints in this frame: it
  // is an old frame, and the thread still steps for such frames.
  [[nodiscard]] bool are_watched(bool in_old_frame) const;

 private:
  using WeakThreads = std::vector<jvm::WeakRef>;

  class Known;

  [[nodiscard]] code::ThreadStacks known_stacks(const jvm::Jni& jni) const;
  [[nodiscard]] code::ThreadStacks platform_stacks(const jvm::Jni& jni, const Known& known) const;
  // The frames of a platform thread are read with those of the others.
  [[nodiscard]] code::ThreadStack stack_of(const jvm::Jni& jni, const Known& known, jthread thread,
                                           bool is_virtual) const;
  [[nodiscard]] bool has_any(const threads::Tracked& thread) const;
  void step_if_in_old_frame(const threads::Tracked& thread) const;
  void step_in_old_frames(const std::vector<threads::Tracked>& threads) const;
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
  std::shared_ptr<const WeakThreads> virtual_;  // those with old frames after the last change
};

}  // namespace jvmdebug::agent::probes
