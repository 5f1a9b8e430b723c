// SPDX-License-Identifier: Apache-2.0
#include "agent/jvmti_access/event_recorder.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "agent/agent.h"
#include "agent/ids/object_table.h"
#include "agent/jvm/capabilities.h"
#include "agent/jvm/thread_name.h"
#include "agent/jvmti_access/recorded_events.h"

namespace jvmdebug::agent::jvmti_access {
namespace {

bool is_about_thread(const Extension& extension) {
  return std::ranges::any_of(extension.parameters, [](const ExtensionParameter& parameter) {
    return parameter.type == JVMTI_TYPE_JTHREAD;
  });
}

bool is_in(const std::vector<jvmtiEvent>& events, jvmtiEvent event) {
  return std::ranges::find(events, event) != events.end();
}

}  // namespace

jvm::Result<void> EventRecorder::open() {
  if (env_) {
    return env_->set_environment_local_storage(this);
  }
  JVMDEBUG_ASSIGN(auto env, jvm::Env::create(agent_.jvmti().vm()));
  JVMDEBUG_CHECK(env.set_environment_local_storage(this));
  JVMDEBUG_CHECK(install_recording_callbacks(env));
  env_ = std::make_unique<jvm::Env>(std::move(env));
  return {};
}

jvm::Result<std::vector<EventRecorder::Refused>> EventRecorder::start(
    const std::vector<std::string>& events, std::size_t capacity, bool with_present) {
  stop();
  JVMDEBUG_CHECK(open());
  {
    const std::scoped_lock lock(mutex_);
    capacity_ = capacity;
  }
  std::vector<Refused> refused;
  for (const std::string& event : events) {
    if (const jvmtiError error = enable(event); error != JVMTI_ERROR_NONE) {
      refused.push_back({.event = event, .error = error});
    }
  }
  if (with_present) {
    replay();
  }
  return refused;
}

jvmtiError EventRecorder::enable(const std::string& event) {
  const auto kinds = event_kinds();
  const auto kind = std::ranges::find(kinds, event, &EventKind::name);
  if (kind == kinds.end()) {
    return enable_extension(event);
  }
  if (is_in(enabled_, kind->event)) {
    return JVMTI_ERROR_NONE;
  }
  jvm::Capabilities wanted;
  for (const auto& need : {kind->needs, kind->needs_too}) {
    if (need) {
      wanted.add(*need);
    }
  }
  if (const auto taken = jvm::take(*env_, wanted); !taken) {
    return taken.error().code;
  }
  const auto on = env_->set_event_notification_mode(JVMTI_ENABLE, kind->event);
  if (!on) {
    return on.error().code;
  }
  enabled_.push_back(kind->event);
  return JVMTI_ERROR_NONE;
}

jvmtiError EventRecorder::enable_extension(const std::string& event) {
  auto known = std::ranges::find(extensions_, event, &Extension::id);
  if (known == extensions_.end()) {
    auto all = extensions(env_->raw());
    const auto found = std::ranges::find(all, event, &Extension::id);
    if (found == all.end() || found->function != nullptr) {
      return JVMTI_ERROR_INVALID_EVENT_TYPE;
    }
    extensions_.reserve(kMostExtensions);  // callbacks may read while one is added
    if (extensions_.size() == kMostExtensions) {
      return JVMTI_ERROR_NOT_AVAILABLE;
    }
    extensions_.push_back(std::move(*found));
    known = std::prev(extensions_.end());
  }
  const auto slot = static_cast<std::size_t>(known - extensions_.begin());
  if (is_about_thread(*known)) {
    // Without this capability, events of virtual threads are enabled but do not come.
    const jvm::Capabilities wanted{jvm::Capability::kSupportVirtualThreads};
    if (const auto taken = jvm::take(*env_, wanted); !taken) {
      return taken.error().code;
    }
  }
  return switch_extension(*known, extension_callback(slot));
}

// Sets the callback and enables the event. Before JDK 21 the callback alone does both.
jvmtiError EventRecorder::switch_extension(const Extension& extension,
                                           jvmtiExtensionEvent callback) const {
  const auto mode = callback == nullptr ? JVMTI_DISABLE : JVMTI_ENABLE;
  const auto set = env_->raw()->SetExtensionEventCallback(extension.event, callback);
  if (set != JVMTI_ERROR_NONE) {
    return set;
  }
  const auto switched =
      env_->set_event_notification_mode(mode, static_cast<jvmtiEvent>(extension.event));
  const bool is_enough = switched || switched.error().code == JVMTI_ERROR_INVALID_EVENT_TYPE;
  return is_enough ? JVMTI_ERROR_NONE : switched.error().code;
}

void EventRecorder::replay() const {
  for (const jvmtiEvent event :
       {JVMTI_EVENT_DYNAMIC_CODE_GENERATED, JVMTI_EVENT_COMPILED_METHOD_LOAD}) {
    if (is_in(enabled_, event)) {
      // Refused only for other events.
      (void)env_->raw()->GenerateEvents(event);
    }
  }
}

// None of these fails in the live phase. Callbacks that have begun may still run.
void EventRecorder::stop() {
  if (!env_ || agent_.vm_is_dead()) {
    return;
  }
  for (const jvmtiEvent event : std::exchange(enabled_, {})) {
    (void)env_->set_event_notification_mode(JVMTI_DISABLE, event);
  }
  for (const Extension& extension : extensions_) {
    (void)switch_extension(extension, nullptr);
  }
  (void)env_->set_environment_local_storage(nullptr);
  jvmtiCapabilities held{};
  (void)env_->raw()->GetCapabilities(&held);
  (void)env_->relinquish_capabilities(jvm::Capabilities(held));
  const std::scoped_lock lock(mutex_);
  capacity_ = 0;
  dropped_ = 0;
  records_.clear();
}

EventRecorder::Taken EventRecorder::take(std::size_t count) {
  Taken taken;
  const std::scoped_lock lock(mutex_);
  const auto last =
      records_.begin() + static_cast<std::ptrdiff_t>(std::min(count, records_.size()));
  std::move(records_.begin(), last, std::back_inserter(taken.events));
  records_.erase(records_.begin(), last);
  taken.dropped = std::exchange(dropped_, 0);
  return taken;
}

EventRecorder* EventRecorder::of(jvmtiEnv* raw) {
  void* stored = nullptr;
  (void)raw->GetEnvironmentLocalStorage(&stored);
  return static_cast<EventRecorder*>(stored);
}

void EventRecorder::record(RecordedEvent event) {
  // Callback safe, like the storage above.
  (void)env_->raw()->GetTime(&event.time);
  const std::scoped_lock lock(mutex_);
  if (records_.size() < capacity_) {
    records_.push_back(std::move(event));
  } else if (capacity_ != 0) {
    ++dropped_;
  }
}

void EventRecorder::identify_thread(RecordedEvent& event, jthread thread) const {
  event.thread_id = agent_.objects().thread_id(thread);
  name_thread(event, thread);
}

void EventRecorder::name_thread(RecordedEvent& event, jthread thread) const {
  if (auto name = jvm::shown_name(*env_, thread)) {
    event.thread = std::move(*name);
  }
}

void EventRecorder::name_class(RecordedEvent& event, jclass type) const {
  if (const auto signature = env_->get_class_signature_only(type)) {
    event.class_name = signature->utf8();
  }
}

void EventRecorder::name_method(RecordedEvent& event, jmethodID method) const {
  if (const auto names = env_->get_method_name(method)) {
    event.method = names->name.utf8();
    event.descriptor = names->signature.utf8();
  }
  if (const auto type = env_->get_method_declaring_class(method)) {
    name_class(event, *type);
    env_->jni()->DeleteLocalRef(*type);
  }
}

std::string EventRecorder::method_text(jmethodID method) const {
  RecordedEvent named;
  name_method(named, method);
  const std::string& signature = named.class_name;
  return (signature.size() > 2 ? signature.substr(1, signature.size() - 2) : signature) + "." +
         named.method;
}

const Extension* EventRecorder::extension(std::size_t slot) const {
  return slot < extensions_.size() ? &extensions_[slot] : nullptr;
}

}  // namespace jvmdebug::agent::jvmti_access
