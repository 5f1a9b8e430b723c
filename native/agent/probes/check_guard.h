// SPDX-License-Identifier: Apache-2.0
//
// Keeps the code that a check calls, and the code that a thread runs for the debugger, from hitting
// probes: no check counts there or writes the line of a log point.
//
// Each thread that runs such code has an array of three ints in the ThreadLocal `running` of a
// class of the agent (probe_classes.h). The first is 1 while the thread runs such code; the second
// is another number in each run of a check (Probes.State); the third counts the calls that traces
// have recorded. A check that calls nothing looks there only while the field `calling` is not 0,
// which means that some check calls methods, or that some thread runs code for the debugger. The
// field is read again in each new frame, so compiled code may keep its value for a loop.
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

  // Looks up the fields of the class. False if the VM lacks the memory for that.
  [[nodiscard]] bool make(const jvm::Jni& jni, jclass type);
  // Notes whether there is a check that calls methods of the program.
  void set_has_calls(const jvm::Jni& jni, bool has_calls);
  // Returns the array of a suspended thread; null if it has none yet.
  [[nodiscard]] jvm::LocalRef<jintArray> numbers_of(const jvm::Jni& jni, jobject thread) const;

  // --- on the thread itself --------------------------------------------------------------------
  // Marks that the current thread runs code for the debugger during the lifetime of the object.
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
    jvm::LocalRef<jintArray> numbers_;  // of this thread; null without a guard
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
