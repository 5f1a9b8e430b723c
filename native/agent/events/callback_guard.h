// SPDX-License-Identifier: Apache-2.0
//
// The guard inside which every JVM TI callback runs: nothing happens once the VM is dead, no
// exception crosses JVM TI, and the program's pending Java exception is the same afterwards. The
// functions that an agent thread runs have the same guard against exceptions.
#pragma once

#include <atomic>
#include <chrono>
#include <utility>

#include "agent/jvm/contain_exceptions.h"
#include "agent/jvm/jni.h"

namespace jvmdebug::agent::events {

// Counts a running callback. Only an agent that was loaded late ends before the VM does: it is
// deleted when no callback runs, so its callbacks are counted from the start. The counter belongs
// to the library, because a callback must be counted before it looks for the agent (docs/adr/0007).
class CallbackPresence {
 public:
  CallbackPresence() noexcept : is_counted_(counting()) {
    if (is_counted_) {
      ++running();
    }
  }

  CallbackPresence(const CallbackPresence&) = delete;
  CallbackPresence& operator=(const CallbackPresence&) = delete;
  CallbackPresence(CallbackPresence&&) = delete;
  CallbackPresence& operator=(CallbackPresence&&) = delete;

  ~CallbackPresence() {
    if (is_counted_) {
      --running();
    }
  }

  // Called before the first event of an agent that has an end.
  static void begin_counting() { counting() = true; }

  // Waits until no callback runs; false if that takes longer than `limit`. Called when no events
  // are enabled any more and callbacks cannot find the agent.
  [[nodiscard]] static bool wait_for_none(std::chrono::milliseconds limit);

 private:
  static std::atomic<bool>& counting() noexcept;
  static std::atomic<int>& running() noexcept;

  const bool is_counted_;
};

// Guards callbacks that get no JNI environment, such as ObjectFree. `host` knows whether the VM is
// dead: the agent, or a jvm::VmLife. `body` must not call JNI, and
// of JVM TI only callback-safe functions.
template <class Host, class Body>
void guard_callback(const Host& host, Body body) noexcept {
  if (!host.vm_is_dead()) {
    jvm::contain_exceptions("an event was lost", std::move(body));
  }
}

// Guards all other callbacks: `body` gets the thread's JNI environment, with no exception pending.
template <class Host, class Body>
void guard_callback(const Host& host, JNIEnv* env, Body body) noexcept {
  if (host.vm_is_dead()) {
    return;
  }
  const jvm::Jni jni(env);
  const jvm::PendingException preserved(jni);
  jvm::contain_exceptions("an event was lost", [&] {
    try {
      body(jni);
    } catch (...) {
      (void)jni.clear_exception();  // one of our own JNI calls may have left it
      throw;
    }
  });
}

}  // namespace jvmdebug::agent::events
