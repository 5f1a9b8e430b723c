// SPDX-License-Identifier: Apache-2.0
//
// The forms of an event between its thread and the sender: first an Occurrence with local
// references that live during the callback, then, for each request that matches, an entry of an
// EventSet (threads/pending_events.h) with references that any thread can use. Ids are made when
// the set is sent.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <jvmti.h>

#include "agent/jvm/java_value.h"
#include "agent/jvm/jni.h"
#include "agent/threads/pending_events.h"
#include "codec/generated/constants.h"

namespace jvmdebug::agent::events {

using threads::DebuggerNumber;
using threads::EventSet;
using threads::PendingEvent;
using threads::ShownStack;

// What happened, as the VM reports it. Which members are used depends on the kind. A method exit is
// one occurrence for both kinds of request that it can answer.
struct Occurrence {
  protocol::EventKind kind{};
  jthread thread = nullptr;
  jmethodID method = nullptr;  // the location
  jlocation index = -1;
  jclass type = nullptr;     // class prepare: the class; else the class that class filters look at,
                             // null: the one that declares the method
  jobject object = nullptr;  // exception, monitor, or object of a field (null: static)
  jmethodID catch_method = nullptr;
  jlocation catch_index = 0;
  jclass field_type = nullptr;
  jfieldID field = nullptr;
  jvm::JavaValue value{};  // new value of a field, or what a method returns
  jlong timeout_ms = 0;
  bool timed_out = false;
  std::string signature{};  // class unload
  jint depth = 0;           // of the frame where it happened
  // The requests of a breakpoint that their probes have hit; whether the frame runs an older
  // version of the method; and the numbers of the probes that its code has at the location.
  std::vector<std::int32_t> probed{};
  bool in_old_frame = false;
  std::vector<std::uint16_t> probes_there{};
};

// An occurrence that any thread can use at any time.
struct RetainedOccurrence {
  protocol::EventKind kind{};
  jvm::GlobalRef<jthread> thread;
  jvm::GlobalRef<jclass> location_type;  // keeps the method alive
  jmethodID method = nullptr;
  jlocation index = -1;
  jvm::GlobalRef<jclass> type;
  jvm::GlobalRef<jobject> object;
  jvm::GlobalRef<jclass> catch_type;
  jmethodID catch_method = nullptr;
  jlocation catch_index = 0;
  jvm::GlobalRef<jclass> field_type;
  jfieldID field = nullptr;
  jvm::JavaValue value;
  jvm::GlobalRef<jobject> value_object;
  jlong timeout_ms = 0;
  bool timed_out = false;
  std::string signature;
};

}  // namespace jvmdebug::agent::events
