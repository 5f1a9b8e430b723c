// SPDX-License-Identifier: Apache-2.0
#include "agent/heap/marks.h"

#include <utility>

#include "agent/agent.h"
#include "agent/events/callback_guard.h"
#include "agent/events/sender.h"
#include "codec/generated/heap.h"

namespace jvmdebug::agent::heap {

jvm::Result<void> Marks::start() {
  if (env_) {
    return {};
  }
  JVMDEBUG_ASSIGN(auto env, jvm::Env::create(agent_.jvmti().vm()));
  JVMDEBUG_CHECK(env.add_capabilities(
      {jvm::Capability::kTagObjects, jvm::Capability::kGenerateObjectFreeEvents}));
  JVMDEBUG_CHECK(env.set_environment_local_storage(this));
  jvmtiEventCallbacks callbacks{};
  callbacks.ObjectFree = object_freed;
  JVMDEBUG_CHECK(env.set_event_callbacks(callbacks, sizeof callbacks));
  JVMDEBUG_CHECK(env.set_event_notification_mode(JVMTI_ENABLE, JVMTI_EVENT_OBJECT_FREE));
  env_ = std::make_unique<jvm::Env>(std::move(env));
  return {};
}

jvm::Result<std::int64_t> Marks::mark(jobject object) {
  JVMDEBUG_CHECK(start());
  JVMDEBUG_ASSIGN(jlong tag, env_->get_tag(object));
  const bool is_tagged = tag != 0;
  {
    const std::scoped_lock lock(mutex_);
    debugger_ = agent_.sender().debugger();
    if (!is_tagged) {
      tag = next_tag_++;
    }
    marked_.insert(tag);
  }
  if (!is_tagged) {
    JVMDEBUG_CHECK(env_->set_tag(object, tag));
  }
  return tag;
}

void Marks::unmark(std::int64_t number) {
  const std::scoped_lock lock(mutex_);
  marked_.erase(number);  // the tag stays, in case the object is marked again
}

void Marks::clear() {
  const std::scoped_lock lock(mutex_);
  marked_.clear();
  dead_.clear();
}

void Marks::stop() {
  if (env_) {
    // The event stays enabled although it is unused: see Allocations::make_environment.
    (void)env_->set_environment_local_storage(nullptr);
  }
}

void Marks::freed(jlong tag) {
  {
    const std::scoped_lock lock(mutex_);
    if (marked_.erase(tag) == 0) {
      return;
    }
    dead_.push_back(tag);
    if (dead_.size() > 1) {
      return;  // a report of earlier ones is already due
    }
  }
  agent_.sender().run_soon([this] { tell(); }, false);
}

void Marks::tell() {
  protocol::heap::Freed freed;
  events::DebuggerNumber debugger = 0;
  {
    const std::scoped_lock lock(mutex_);
    freed.numbers.swap(dead_);
    debugger = debugger_;
  }
  if (!freed.numbers.empty()) {
    agent_.sender().send_command(freed, debugger);
  }
}

void JNICALL Marks::object_freed(jvmtiEnv* raw, jlong tag) {
  const events::CallbackPresence present;
  void* stored = nullptr;
  (void)raw->GetEnvironmentLocalStorage(&stored);
  if (auto* const marks = static_cast<Marks*>(stored)) {
    events::guard_callback(marks->agent_, [&] { marks->freed(tag); });
  }
}

}  // namespace jvmdebug::agent::heap
