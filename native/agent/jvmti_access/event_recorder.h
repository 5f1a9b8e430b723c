// SPDX-License-Identifier: Apache-2.0
//
// Events of JVM TI that JDWP does not know, recorded for a debugger that takes them: compiled and
// generated code, native methods, garbage collections, exhausted resources, and what this VM has
// beyond JVM TI. In an environment of its own, whose capabilities are given back at the end. What
// is not taken is kept up to a number of events; more are counted. Some come while the VM stands
// still or without JNI: a record is made by callback-safe functions alone there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <jvmti.h>

#include "agent/jvm/env.h"
#include "agent/jvmti_access/extensions.h"
#include "agent/locks/ranked_mutex.h"

namespace jvmdebug::agent {
class Agent;
}

namespace jvmdebug::agent::jvmti_access {

struct RecordedEvent {
  std::string_view event;  // its name, of the table of events or of the extensions
  jlong time = 0;
  std::string thread = {};
  std::string class_name = {};  // signature
  std::string method = {};
  std::string descriptor = {};
  jlong address = 0;
  jlong size = 0;
  std::string text = {};
  std::vector<std::string> inlined = {};
};

class EventRecorder {
 public:
  explicit EventRecorder(Agent& agent) : agent_(agent) {}

  struct Refused {
    std::string event;
    jvmtiError error = JVMTI_ERROR_NONE;
  };

  // Begins; what was recorded before is forgotten. Those that the VM does not give. Agent threads,
  // one at a time, as the others.
  [[nodiscard]] jvm::Result<std::vector<Refused>> start(const std::vector<std::string>& events,
                                                        std::size_t capacity, bool with_present);
  void stop();

  struct Taken {
    std::vector<RecordedEvent> events;
    jlong dropped = 0;
  };

  [[nodiscard]] Taken take(std::size_t count);

  // The rest is for the callbacks.

  // The one of an environment; null when it records no more.
  [[nodiscard]] static EventRecorder* of(jvmtiEnv* raw);

  [[nodiscard]] const Agent& agent() const { return agent_; }

  void record(RecordedEvent event);
  // Null: the current one.
  void name_thread(RecordedEvent& event, jthread thread) const;
  void name_class(RecordedEvent& event, jclass type) const;
  void name_method(RecordedEvent& event, jmethodID method) const;
  // `pkg/Type.name`
  [[nodiscard]] std::string method_text(jmethodID method) const;

  // The extension event of a slot, while it is recorded.
  [[nodiscard]] const Extension* extension(std::size_t slot) const;

 private:
  [[nodiscard]] jvm::Result<void> open();
  [[nodiscard]] jvmtiError enable(const std::string& event);
  [[nodiscard]] jvmtiError enable_extension(const std::string& event);
  void replay() const;

  Agent& agent_;
  std::unique_ptr<jvm::Env> env_;
  std::vector<jvmtiEvent> enabled_;
  std::vector<Extension> extensions_;  // those that are recorded, by slot; grows only
  // Held over C++ alone, as the other of this rank, and never together with it.
  RankedMutex<Rank::kUnloads> mutex_;
  std::deque<RecordedEvent> records_;
  std::size_t capacity_ = 0;
  jlong dropped_ = 0;
};

}  // namespace jvmdebug::agent::jvmti_access
