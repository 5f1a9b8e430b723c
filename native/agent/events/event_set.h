// SPDX-License-Identifier: Apache-2.0
//
// The forms of an event between its thread and the sender: first an Occurrence with local
// references that live during the callback, then, for each request that matches, an entry of an
// EventSet with references that any thread can use. Ids are made when the set is sent.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <jvmti.h>

#include "agent/jvm/jni.h"
#include "codec/generated/constants.h"

namespace jvmdebug::agent::events {

// A Java value with its descriptor letter; 'L' and '[' for references, 'V' for none.
struct JavaValue {
  char type = 'V';
  jvalue value{};

  [[nodiscard]] bool is_reference() const { return type == 'L' || type == '['; }
};

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
  JavaValue value{};  // new value of a field, or what a method returns
  jlong timeout_ms = 0;
  bool timed_out = false;
  std::string signature{};  // class unload
  jint depth = 0;           // of the frame where it happened
  // The requests of a breakpoint that are hit according to their probes; whether the frame runs an
  // older version of the method; the numbers of the probes that the frame's code has there.
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
  JavaValue value;
  jvm::GlobalRef<jobject> value_object;
  jlong timeout_ms = 0;
  bool timed_out = false;
  std::string signature;
};

// One event of a composite.
struct PendingEvent {
  std::shared_ptr<const RetainedOccurrence> what;
  protocol::EventKind kind{};  // the request's: tells the two kinds of method exit apart
  std::int32_t request_id = 0;
};

// The number of a debugger, in the order in which they connected.
using DebuggerNumber = std::uint64_t;

struct EventSet {
  protocol::SuspendPolicy policy = protocol::SuspendPolicy::kNone;
  std::vector<PendingEvent> events;
  DebuggerNumber debugger = 0;  // the debugger that requested them; no other one gets them

  // Whether the set suspends one thread or all.
  [[nodiscard]] bool stops() const { return policy != protocol::SuspendPolicy::kNone; }

  void add(PendingEvent event, protocol::SuspendPolicy wanted, DebuggerNumber asker) {
    if (asker != debugger) {  // the entries of the set were for an earlier debugger
      events.clear();
      policy = protocol::SuspendPolicy::kNone;
      debugger = asker;
    }
    events.push_back(std::move(event));
    if (wanted > policy) {
      policy = wanted;
    }
  }
};

}  // namespace jvmdebug::agent::events
