// SPDX-License-Identifier: Apache-2.0
//
// Breakpoints beside other agents that change classes (Mockito, APM agents, hot swap tools).
//
// HotSpot clears all breakpoints of a class when any agent redefines or retransforms it, and sends
// no event afterwards: with the JDK's own agent they are lost. So the sender's thread reads from
// time to time how often each class with a breakpoint was changed, which the VM counts for
// reflection, and sets its breakpoints again.
//
// Agents in Java need the library of java.lang.instrument. Four times in a second the thread looks
// whether it is in the process; changes by agents that do without are not seen. From then on a hook
// sees each change before it is made (it costs nothing that the library's own does not), and the
// thread looks until the count has changed. What passes a breakpoint in the moment between is not
// reported; so the debugger puts probes into classes that change again and again, which it learns
// from Probes.Busy (changes_often()). While a change is to come, no breakpoint is set, see
// CodeView::begin_foreign_change().
//
// A breakpoint that would do harm in the class as it is now stays away, see
// Breakpoints::would_harm() and would_crash(); the debugger learns that from Probes.Busy. Probes
// need none of this: they are put into the new code as it is loaded.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <thread>
#include <utility>
#include <vector>

#include <jvmti.h>

#include "agent/jvm/code_view.h"
#include "agent/jvm/env.h"
#include "agent/jvm/jni.h"
#include "agent/jvm/vm_life.h"
#include "agent/locks/ranked_mutex.h"

namespace jvmdebug::agent::threads {
class ThreadRegistry;
}

namespace jvmdebug::agent::events {

class Breakpoints;

class ForeignChanges {
 public:
  struct Uses {
    const jvm::Env& env;
    Breakpoints& breakpoints;
    const threads::ThreadRegistry& registry;
    jvm::CodeView& code;
    const jvm::VmLife& life;
    std::function<void()> look_again;  // has look() called soon, on the sender's thread
  };

  explicit ForeignChanges(Uses uses) : uses_(std::move(uses)) {}

  // Sets breakpoints again in classes that have changed since the last call. Returns when to look
  // again; nothing while there are no breakpoints. On the sender's thread.
  [[nodiscard]] std::optional<std::chrono::microseconds> look();

  // Whether other agents have changed the class more than once while it had breakpoints. Any
  // thread.
  [[nodiscard]] bool changes_often(const jvm::Jni& jni, jclass type);

 private:
  // A class, and how often it had been changed; nothing if that is not known.
  struct Known {
    jvm::WeakRef type;
    std::optional<jint> times;
  };

  // A change that a thread is about to make; of several classes the last.
  struct Coming {
    std::thread::id thread;
    Known last;
    std::chrono::steady_clock::time_point since;
  };

  // A class that was changed while it had breakpoints.
  struct Changed {
    jvm::WeakRef type;
    int times;
  };

  static void JNICALL class_file_load(jvmtiEnv* raw, JNIEnv* env, jclass redefined, jobject loader,
                                      const char* name, jobject domain, jint length,
                                      const unsigned char* bytes, jint* new_length,
                                      unsigned char** new_bytes);
  void note_coming(const jvm::Jni& jni, jclass type);
  void count(const jvm::Jni& jni, jclass type);
  [[nodiscard]] bool is_any_coming(const jvm::Jni& jni);  // any thread
  void find_classes(const jvm::Jni& jni, std::span<const jmethodID> methods);
  void stop_looking();
  [[nodiscard]] jvm::Result<void> watch();

  const Uses uses_;
  std::vector<Known> known_;      // the classes with breakpoints
  std::uint64_t moment_ = 0;      // of them, see Breakpoints::methods_since()
  std::optional<jvm::Env> hook_;  // once the library is there
  bool has_instrument_ = false;
  bool is_watching_ = false;
  RankedMutex<Rank::kForeignChanges> mutex_;
  std::vector<Coming> coming_;
  std::vector<Changed> changed_;
};

}  // namespace jvmdebug::agent::events
