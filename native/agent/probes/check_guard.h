// SPDX-License-Identifier: Apache-2.0
//
// What a check calls, and what a thread runs for the debugger, is no hit of any probe: no check
// counts there, or writes the line of a log point. Each thread that does either has an array of
// ints, of three elements, in the ThreadLocal `running` of a class of the agent's
// (probe_classes.h): the first is 1 while it does, the second is another one in each run of a check
// (Probes.State), the third counts the calls that traces have recorded. A check that calls nothing
// looks there only while the field `calling` is not 0: there are checks that call methods, or a
// thread runs something for the debugger. The field is read again in each new frame, so that
// compiled code may keep it for a loop.
#pragma once

#include <atomic>

#include <jni.h>

#include "agent/jvm/jni.h"
#include "agent/probes/thread_locals.h"

namespace jvmdebug::agent::probes {

class CheckGuard {
 public:
  // --- agent threads, one at a time ------------------------------------------------------------
  [[nodiscard]] bool is_made() const { return is_made_; }

  // Takes the fields of the class; false if the VM has no room for what that needs.
  [[nodiscard]] bool make(const jvm::Jni& jni, jclass type);
  // Whether there is a check that calls methods of the program.
  void set_has_calls(const jvm::Jni& jni, bool has_calls);
  // The array of a suspended thread; none if it has none yet.
  [[nodiscard]] jvm::LocalRef<jintArray> numbers_of(const jvm::Jni& jni, jobject thread) const;

  // --- on the thread itself --------------------------------------------------------------------
  // While it lives, what the thread does is for the debugger.
  class Run {
   public:
    Run(CheckGuard& guard, const jvm::Jni& jni);
    ~Run();
    Run(const Run&) = delete;
    Run& operator=(const Run&) = delete;
    Run(Run&&) = delete;
    Run& operator=(Run&&) = delete;

   private:
    CheckGuard& guard_;
    jvm::Jni jni_;
    jvm::LocalRef<jintArray> numbers_;  // of this thread; none if there is no guard
    jint before_ = 0;
  };

 private:
  [[nodiscard]] jvm::LocalRef<jintArray> numbers(const jvm::Jni& jni) const;
  void add_calling(const jvm::Jni& jni, int more);

  std::atomic<bool> is_made_ = false;
  std::atomic<int> calling_ = 0;
  bool has_calls_ = false;
  jvm::GlobalRef<jclass> type_;
  jvm::GlobalRef<jobject> running_;
  jfieldID calling_field_ = nullptr;
  jmethodID get_ = nullptr;
  jmethodID set_ = nullptr;
  ThreadLocals thread_locals_;
};

}  // namespace jvmdebug::agent::probes
