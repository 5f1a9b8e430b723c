// SPDX-License-Identifier: Apache-2.0
//
// The guard inside which every JVM TI callback runs: nothing happens once the VM is dead, no
// exception crosses JVM TI, and the program's pending Java exception is the same afterwards. The
// functions that an agent thread runs have the same guard against exceptions.
#pragma once

#include <cstdio>
#include <exception>

#include "agent/agent.h"
#include "agent/jvm/jni.h"

namespace jvmdebug::agent::events {

// Runs `body`; an exception ends it and is reported on stderr.
template <class Body>
void contain_exceptions(const char* what_failed, Body body) noexcept {
  try {
    body();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "jvmdebug: %s: %s\n", what_failed, error.what());
  } catch (...) {
    std::fprintf(stderr, "jvmdebug: %s\n", what_failed);
  }
}

// For callbacks that get no JNI environment, such as ObjectFree: `body` may call nothing of JNI,
// and of JVM TI only the functions that are callback safe.
template <class Body>
void guard_callback(const Agent& agent, Body body) noexcept {
  if (!agent.vm_is_dead()) {
    contain_exceptions("an event was lost", std::move(body));
  }
}

// For all others: `body` gets JNI of the thread, with no exception pending.
template <class Body>
void guard_callback(const Agent& agent, JNIEnv* env, Body body) noexcept {
  if (agent.vm_is_dead()) {
    return;
  }
  const jvm::Jni jni(env);
  const jvm::PendingException preserved(jni);
  contain_exceptions("an event was lost", [&] {
    try {
      body(jni);
    } catch (...) {
      (void)jni.clear_exception();  // one of our own JNI calls may have left it
      throw;
    }
  });
}

}  // namespace jvmdebug::agent::events
