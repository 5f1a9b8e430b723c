// SPDX-License-Identifier: Apache-2.0
#include "agent/events/class_unload.h"

#include <utility>

#include "agent/code/code_versions.h"
#include "agent/events/callback_guard.h"
#include "agent/events/composer.h"
#include "agent/jvm/capabilities.h"

namespace jvmdebug::agent::events {

jvm::Result<void> ClassUnloadWatch::start() {
  if (env_) {
    return {};
  }
  JVMDEBUG_ASSIGN(auto env, jvm::Env::create(uses_.env.vm()));
  JVMDEBUG_CHECK(env.add_capabilities(
      {jvm::Capability::kTagObjects, jvm::Capability::kGenerateObjectFreeEvents}));
  env_ = std::make_unique<jvm::Env>(std::move(env));
  if (auto asked = ask_for_events(); !asked) {
    env_.reset();
    return asked;
  }
  JVMDEBUG_ASSIGN(const auto classes, env_->get_loaded_classes());
  const jvm::Jni jni = uses_.env.jni();
  for (jclass type : classes) {
    const auto owned = jni.adopt(type);
    tag(type);
  }
  return {};
}

// Called before the loaded classes are tagged, so that none is missed.
jvm::Result<void> ClassUnloadWatch::ask_for_events() {
  JVMDEBUG_CHECK(env_->set_environment_local_storage(this));
  jvmtiEventCallbacks callbacks{};
  callbacks.ClassPrepare = class_prepared;
  callbacks.ObjectFree = object_freed;
  JVMDEBUG_CHECK(env_->set_event_callbacks(callbacks, sizeof callbacks));
  JVMDEBUG_CHECK(env_->set_event_notification_mode(JVMTI_ENABLE, JVMTI_EVENT_CLASS_PREPARE));
  return env_->set_event_notification_mode(JVMTI_ENABLE, JVMTI_EVENT_OBJECT_FREE);
}

void ClassUnloadWatch::tag(jclass type) {
  const auto present = env_->get_tag(type);
  const auto names = env_->get_class_signature(type);
  if (!present || *present != 0 || !names || uses_.code_versions.hides(type)) {
    return;
  }
  jlong tag = 0;
  {
    const std::scoped_lock lock(mutex_);
    tag = next_tag_++;
    signatures_.emplace(tag, names->signature.view());
  }
  if (!env_->set_tag(type, tag)) {
    const std::scoped_lock lock(mutex_);
    signatures_.erase(tag);
  }
}

void ClassUnloadWatch::freed(jlong tag) {
  std::string signature;
  {
    const std::scoped_lock lock(mutex_);
    const auto found = signatures_.find(tag);
    if (found == signatures_.end()) {
      return;
    }
    signature = std::move(found->second);
    signatures_.erase(found);
  }
  // JNI must not be called here, but the sender's thread may call it.
  uses_.reporter.run_soon(
      [this, signature] { uses_.composer.class_unloaded(uses_.env.jni(), signature); }, false);
}

void ClassUnloadWatch::stop() {
  if (env_) {
    // It does not fail in the live phase. ObjectFree stays enabled although it is unused: changing
    // it while the VM reports dead objects can block the VM for ever.
    (void)env_->set_event_notification_mode(JVMTI_DISABLE, JVMTI_EVENT_CLASS_PREPARE);
    (void)env_->set_environment_local_storage(nullptr);
  }
}

// The environment's own storage is set before its first event; null after the last one.
ClassUnloadWatch* ClassUnloadWatch::of(jvmtiEnv* raw) {
  void* stored = nullptr;
  (void)raw->GetEnvironmentLocalStorage(&stored);
  return static_cast<ClassUnloadWatch*>(stored);
}

void JNICALL ClassUnloadWatch::class_prepared(jvmtiEnv* raw, JNIEnv* env, jthread /*thread*/,
                                              jclass type) {
  const CallbackPresence present;
  if (ClassUnloadWatch* const watch = of(raw); watch != nullptr) {
    guard_callback(watch->uses_.life, env, [&](const jvm::Jni& /*jni*/) { watch->tag(type); });
  }
}

void JNICALL ClassUnloadWatch::object_freed(jvmtiEnv* raw, jlong tag) {
  const CallbackPresence present;
  if (ClassUnloadWatch* const watch = of(raw); watch != nullptr) {
    guard_callback(watch->uses_.life, [&] { watch->freed(tag); });
  }
}

}  // namespace jvmdebug::agent::events
