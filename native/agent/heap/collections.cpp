// SPDX-License-Identifier: Apache-2.0
#include "agent/heap/collections.h"

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "agent/agent.h"
#include "agent/events/callback_guard.h"
#include "agent/events/sender.h"
#include "agent/heap/code_places.h"
#include "agent/jvm/capabilities.h"
#include "agent/jvm/thread_name.h"
#include "codec/generated/heap.h"

namespace jvmdebug::agent::heap {
namespace {

constexpr std::size_t kFrames = 64;

std::int64_t microseconds(auto duration) {
  return std::chrono::duration_cast<std::chrono::microseconds>(duration).count();
}

}  // namespace

jvm::Result<void> Collections::start() {
  if (env_) {
    return {};
  }
  JVMDEBUG_ASSIGN(auto env, jvm::Env::create(agent_.jvmti().vm()));
  JVMDEBUG_ASSIGN(
      const auto taken,
      jvm::take(env, {jvm::Capability::kGenerateGarbageCollectionEvents,
                      jvm::Capability::kGenerateResourceExhaustionHeapEvents,
                      jvm::Capability::kGenerateResourceExhaustionThreadsEvents,
                      jvm::Capability::kGetSourceFileName, jvm::Capability::kGetLineNumbers}));
  if (!taken.has(jvm::Capability::kGenerateGarbageCollectionEvents)) {
    return std::unexpected(jvm::Error{JVMTI_ERROR_NOT_AVAILABLE});
  }
  JVMDEBUG_CHECK(env.set_environment_local_storage(this));
  jvmtiEventCallbacks callbacks{};
  callbacks.GarbageCollectionStart = collection_started;
  callbacks.GarbageCollectionFinish = collection_finished;
  callbacks.ResourceExhausted = exhausted;
  JVMDEBUG_CHECK(env.set_event_callbacks(callbacks, sizeof callbacks));
  env_ = std::make_unique<jvm::Env>(std::move(env));
  return {};
}

jvm::Result<void> Collections::watch() {
  JVMDEBUG_CHECK(start());
  {
    const std::scoped_lock lock(mutex_);
    debugger_ = agent_.sender().debugger();
    started_ = {};
  }
  set_events(JVMTI_ENABLE);
  return {};
}

void Collections::end() {
  if (env_) {
    set_events(JVMTI_DISABLE);
  }
}

void Collections::stop() {
  if (env_) {
    set_events(JVMTI_DISABLE);
    (void)env_->set_environment_local_storage(nullptr);
  }
}

// Fails only for events that this VM does not have, which does no harm.
void Collections::set_events(jvmtiEventMode mode) const {
  for (const jvmtiEvent event :
       {JVMTI_EVENT_GARBAGE_COLLECTION_START, JVMTI_EVENT_GARBAGE_COLLECTION_FINISH,
        JVMTI_EVENT_RESOURCE_EXHAUSTED}) {
    (void)env_->set_event_notification_mode(mode, event);
  }
}

void Collections::finished() {
  protocol::heap::Collected collected;
  events::DebuggerNumber debugger = 0;
  {
    const std::scoped_lock lock(mutex_);
    if (started_ == std::chrono::steady_clock::time_point{}) {
      return;  // it began before it was watched
    }
    collected.start = microseconds(started_at_.time_since_epoch());
    collected.duration = microseconds(std::chrono::steady_clock::now() - started_);
    debugger = debugger_;
  }
  agent_.sender().run_soon(
      [&agent = agent_, collected, debugger] { agent.sender().send_command(collected, debugger); },
      false);
}

void Collections::ran_out(jint flags, const char* description) {
  protocol::heap::Exhausted told;
  told.flags = flags;
  told.description = description == nullptr ? "" : jvm::utf8_from_modified(description);
  const jvm::Jni jni = env_->jni();
  if (const auto thread = env_->get_current_thread()) {
    const auto owned = jni.adopt(*thread);
    told.thread = jvm::shown_name(*env_, owned).value_or(std::string());
  }
  std::array<jvmtiFrameInfo, kFrames> frames{};
  if (const auto count = env_->get_stack_trace(nullptr, 0, frames)) {
    for (const jvmtiFrameInfo& frame : std::span(frames).first(static_cast<std::size_t>(*count))) {
      const CodePlace place = code_place(*env_, frame);
      told.frames.push_back(
          {.type = place.type, .method = place.method, .source = place.source, .line = place.line});
    }
  }
  events::DebuggerNumber debugger = 0;
  {
    const std::scoped_lock lock(mutex_);
    debugger = debugger_;
  }
  agent_.sender().run_soon(
      [&agent = agent_, told, debugger] { agent.sender().send_command(told, debugger); }, false);
}

Collections* Collections::of(jvmtiEnv* raw) {
  void* stored = nullptr;
  (void)raw->GetEnvironmentLocalStorage(&stored);
  return static_cast<Collections*>(stored);
}

void JNICALL Collections::collection_started(jvmtiEnv* raw) {
  const events::CallbackPresence present;
  if (Collections* const self = of(raw); self != nullptr) {
    events::guard_callback(self->agent_, [&] {
      const std::scoped_lock lock(self->mutex_);
      self->started_ = std::chrono::steady_clock::now();
      self->started_at_ = std::chrono::system_clock::now();
    });
  }
}

void JNICALL Collections::collection_finished(jvmtiEnv* raw) {
  const events::CallbackPresence present;
  if (Collections* const self = of(raw); self != nullptr) {
    events::guard_callback(self->agent_, [&] { self->finished(); });
  }
}

void JNICALL Collections::exhausted(jvmtiEnv* raw, JNIEnv* env, jint flags,
                                    const void* /*reserved*/, const char* description) {
  const events::CallbackPresence present;
  if (Collections* const self = of(raw); self != nullptr) {
    events::guard_callback(self->agent_, env,
                           [&](const jvm::Jni& /*jni*/) { self->ran_out(flags, description); });
  }
}

}  // namespace jvmdebug::agent::heap
