// SPDX-License-Identifier: Apache-2.0
//
// Records events of JVM TI that JDWP does not have, until the debugger fetches them: compiled and
// generated code, native methods, garbage collections, exhausted resources, and extension events of
// this VM. Uses a separate environment, whose capabilities are given back at the end. Keeps a
// limited number of events; further ones are only counted. Some events come while the VM is stopped
// or without JNI; their records are made with callback-safe functions only.
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
#include "codec/ids.h"

namespace jvmdebug::agent {
class Agent;
}

namespace jvmdebug::agent::jvmti_access {

struct RecordedEvent {
  std::string_view event;  // its name, of the table of events or of the extensions
  jlong time = 0;
  protocol::ThreadId thread_id = {};  // 0 if the event has none
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

  // Begins to record; forgets what was recorded before. Returns the events that the VM refuses.
  // Agent threads, one at a time, as for the other functions.
  [[nodiscard]] jvm::Result<std::vector<Refused>> start(const std::vector<std::string>& events,
                                                        std::size_t capacity, bool with_present);
  void stop();

  struct Taken {
    std::vector<RecordedEvent> events;
    jlong dropped = 0;
  };

  [[nodiscard]] Taken take(std::size_t count);

  // --- for the callbacks -----------------------------------------------------------------------

  // The recorder of an environment; null when it no longer records.
  [[nodiscard]] static EventRecorder* of(jvmtiEnv* raw);

  [[nodiscard]] const Agent& agent() const { return agent_; }

  void record(RecordedEvent event);
  // Adds the name of the thread; of the current one if it is null.
  void name_thread(RecordedEvent& event, jthread thread) const;
  // Adds the name and the id of a virtual thread, as most have no name. Only for events that come
  // in the thread itself, which holds no lock of the agent.
  void identify_thread(RecordedEvent& event, jthread thread) const;
  void name_class(RecordedEvent& event, jclass type) const;
  void name_method(RecordedEvent& event, jmethodID method) const;
  // The text `pkg/Type.name`.
  [[nodiscard]] std::string method_text(jmethodID method) const;

  // The extension event of a slot, while it is recorded.
  [[nodiscard]] const Extension* extension(std::size_t slot) const;

 private:
  [[nodiscard]] jvm::Result<void> open();
  [[nodiscard]] jvmtiError enable(const std::string& event);
  [[nodiscard]] jvmtiError enable_extension(const std::string& event);
  [[nodiscard]] jvmtiError switch_extension(const Extension& extension,
                                            jvmtiExtensionEvent callback) const;
  void replay() const;

  Agent& agent_;
  std::unique_ptr<jvm::Env> env_;
  std::vector<jvmtiEvent> enabled_;
  std::vector<Extension> extensions_;  // those that are recorded, by slot; grows only
  // No call into the VM is made while it is held, like the other mutex of this rank; the two are
  // never held together.
  RankedMutex<Rank::kUnloads> mutex_;
  std::deque<RecordedEvent> records_;
  std::size_t capacity_ = 0;
  jlong dropped_ = 0;
};

}  // namespace jvmdebug::agent::jvmti_access
