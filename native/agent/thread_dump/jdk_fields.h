// SPDX-License-Identifier: Apache-2.0
//
// The fields of JDK classes that a thread dump reads without running code: names and numbers of
// threads, what they are parked for, and the lists of virtual threads. Looked up by name for each
// dump. A class that is not loaded, or a field that this JDK does not have, is null, and what needs
// it is left out. Loads and initializes no class.
#pragma once

#include <cstdint>

#include <jvmti.h>

#include "agent/jvm/env.h"
#include "agent/jvm/jni.h"

namespace jvmdebug::agent::thread_dump {

// A class if it is initialized, else null.
using Type = jvm::LocalRef<jclass>;

struct JdkFields {
  static jvm::Result<JdkFields> find(const jvm::Env& env);

  // java.lang.Thread
  jfieldID number = nullptr;
  jfieldID name = nullptr;
  jfieldID park_blocker = nullptr;
  jfieldID scopes = nullptr;  // 21 and newer: the innermost StackableScope

  // java.util.concurrent.locks.AbstractOwnableSynchronizer
  Type synchronizer;
  jfieldID owner = nullptr;

  // java.lang.VirtualThread; if it is initialized, there are virtual threads
  Type virtual_thread;
  jfieldID state = nullptr;

  // jdk.internal.vm.ThreadContainers
  Type containers;
  jfieldID tracks_all = nullptr;
  jfieldID root = nullptr;
  jfieldID registry = nullptr;

  // jdk.internal.vm.StackableScope
  jfieldID previous_scope = nullptr;

  // The containers that have sets of threads.
  Type executor;  // java.util.concurrent.ThreadPerTaskExecutor
  jfieldID executor_threads = nullptr;
  Type shared;  // jdk.internal.vm.SharedThreadContainer
  jfieldID shared_threads = nullptr;
  Type flock_container;  // jdk.internal.misc.ThreadFlock$ThreadContainerImpl
  jfieldID flock = nullptr;
  jfieldID flock_threads = nullptr;

  // java.util.concurrent.ConcurrentHashMap and its parts
  jfieldID map = nullptr;  // the map of a set
  jfieldID table = nullptr;
  jfieldID hash = nullptr;
  jfieldID key = nullptr;
  jfieldID next = nullptr;
  Type forwarding;
  jfieldID next_table = nullptr;
  Type tree;
  jfieldID first = nullptr;

  // java.lang.ref.Reference
  jfieldID referent = nullptr;

  // Whether all fields that lead to the virtual threads are known.
  [[nodiscard]] bool know_containers() const;
};

}  // namespace jvmdebug::agent::thread_dump
