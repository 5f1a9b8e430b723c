// SPDX-License-Identifier: Apache-2.0
#include "agent/events/foreign_changes.h"

#include <algorithm>
#include <cstddef>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "agent/events/breakpoints.h"
#include "agent/jvm/capabilities.h"
#include "agent/jvm/contain_exceptions.h"
#include "agent/jvm/local_capacity.h"
#include "agent/jvm/redefinitions.h"
#include "agent/platform/dynamic_library.h"
#include "agent/threads/thread_registry.h"

namespace jvmdebug::agent::events {
namespace {

constexpr std::chrono::microseconds kNow{200};  // while a change is to come
constexpr std::chrono::milliseconds kOften{5};
constexpr std::chrono::milliseconds kSeldom{250};
constexpr std::chrono::seconds kLongestChange{1};  // else the VM has refused it
constexpr int kOftenChanged = 2;

// Whether the library that agents in Java need is in the process.
bool is_instrument_loaded() {
  const std::string wanted = platform::library_name("instrument");
  return std::ranges::any_of(platform::loaded_libraries(), [&](std::string_view path) {
    return path.ends_with(wanted) && path.size() > wanted.size() &&
           std::string_view("/\\").contains(path[path.size() - wanted.size() - 1]);
  });
}

}  // namespace

std::optional<std::chrono::microseconds> ForeignChanges::look() {
  if (uses_.life.vm_is_dead()) {
    return std::nullopt;
  }
  if (uses_.breakpoints.is_empty()) {
    stop_looking();
    return std::nullopt;
  }
  has_instrument_ = has_instrument_ || is_instrument_loaded();
  if (!has_instrument_) {
    return kSeldom;
  }
  if (!is_watching_) {
    is_watching_ = true;
    (void)watch();  // without it changes are found by their count all the same
  }
  const jvm::Jni jni = uses_.env.jni();
  if (is_any_coming(jni)) {
    return kNow;
  }
  if (const auto methods = uses_.breakpoints.methods_since(moment_)) {
    moment_ = methods->moment;
    find_classes(jni, methods->all);
  }
  for (Known& each : known_) {
    const auto type = each.type.lock(jni);
    auto* const plain = static_cast<jclass>(type.get());
    const auto times = type ? jvm::redefinitions_of(jni, plain) : each.times;
    if (times != each.times) {
      each.times = times;
      uses_.breakpoints.set_again(plain);
    }
  }
  return kOften;
}

// Classes that were not known get their breakpoints once more: they may have changed already.
void ForeignChanges::find_classes(const jvm::Jni& jni, std::span<const jmethodID> methods) {
  std::vector<Known> found;
  for (jmethodID const method : methods) {
    const auto raw = uses_.env.get_method_declaring_class(method);
    const auto type = jni.adopt(raw.value_or(nullptr));
    const auto is_it = [&](const Known& each) { return jni.same(each.type.lock(jni), type.get()); };
    if (!type || std::ranges::any_of(found, is_it)) {
      continue;
    }
    const auto before = std::ranges::find_if(known_, is_it);
    found.push_back({.type = jni.weak(type.get()),
                     .times = before == known_.end() ? std::nullopt : before->times});
  }
  known_ = std::move(found);
}

void ForeignChanges::stop_looking() {
  known_.clear();
  moment_ = 0;
  if (hook_ && is_watching_) {
    (void)hook_->set_event_notification_mode(JVMTI_DISABLE, JVMTI_EVENT_CLASS_FILE_LOAD_HOOK);
  }
  is_watching_ = false;
}

// The hook is told of retransformations only if it may make some.
jvm::Result<void> ForeignChanges::watch() {
  if (!hook_) {
    JVMDEBUG_ASSIGN(jvm::Env env, jvm::Env::create(uses_.env.jni().vm()));
    JVMDEBUG_CHECK(jvm::take(env, jvm::Capabilities{jvm::Capability::kRetransformClasses}));
    JVMDEBUG_CHECK(env.set_environment_local_storage(this));
    jvmtiEventCallbacks callbacks{};
    callbacks.ClassFileLoadHook = class_file_load;
    JVMDEBUG_CHECK(env.set_event_callbacks(callbacks, sizeof callbacks));
    hook_.emplace(std::move(env));
    uses_.code.set_foreign_look([this] { (void)is_any_coming(uses_.env.jni()); });
  }
  return hook_->set_event_notification_mode(JVMTI_ENABLE, JVMTI_EVENT_CLASS_FILE_LOAD_HOOK);
}

void JNICALL ForeignChanges::class_file_load(jvmtiEnv* raw, JNIEnv* env, jclass redefined,
                                             jobject /*loader*/, const char* /*name*/,
                                             jobject /*domain*/, jint /*length*/,
                                             const unsigned char* /*bytes*/, jint* /*new_length*/,
                                             unsigned char** /*new_bytes*/) {
  void* stored = nullptr;
  if (redefined == nullptr || raw->GetEnvironmentLocalStorage(&stored) != JVMTI_ERROR_NONE ||
      stored == nullptr) {
    return;
  }
  jvm::contain_exceptions("a change of a class was not noted", [&] {
    jvm::announce_callback(env);
    static_cast<ForeignChanges*>(stored)->note_coming(jvm::Jni(env), redefined);
  });
}

void ForeignChanges::note_coming(const jvm::Jni& jni, jclass type) {
  if (uses_.registry.is_own_thread()) {
    return;
  }
  count(jni, type);
  Coming noted{.thread = std::this_thread::get_id(),
               .last = {.type = jni.weak(type), .times = jvm::redefinitions_of(jni, type)},
               .since = std::chrono::steady_clock::now()};
  bool is_first = false;
  {
    const std::scoped_lock lock(mutex_);
    const auto found = std::ranges::find(coming_, noted.thread, &Coming::thread);
    is_first = found == coming_.end();
    if (is_first) {
      coming_.emplace_back();
    }
    std::swap(is_first ? coming_.back() : *found, noted);
  }
  if (is_first) {
    uses_.code.begin_foreign_change();
    uses_.look_again();
  } else {
    uses_.code.wait_for_setting();
  }
}

void ForeignChanges::count(const jvm::Jni& jni, jclass type) {
  if (!uses_.breakpoints.is_any_in(type)) {
    return;
  }
  const std::scoped_lock lock(mutex_);
  std::erase_if(changed_, [&](const Changed& each) { return !each.type.lock(jni); });
  const auto is_it = [&](const Changed& each) { return jni.same(each.type.lock(jni), type); };
  const auto found = std::ranges::find_if(changed_, is_it);
  if (found == changed_.end()) {
    changed_.push_back({.type = jni.weak(type), .times = 1});
  } else if (found->times < kOftenChanged) {
    ++found->times;
  }
}

bool ForeignChanges::changes_often(const jvm::Jni& jni, jclass type) {
  const std::scoped_lock lock(mutex_);
  return std::ranges::any_of(changed_, [&](const Changed& each) {
    return each.times == kOftenChanged && jni.same(each.type.lock(jni), type);
  });
}

// Forgets those that are done.
bool ForeignChanges::is_any_coming(const jvm::Jni& jni) {
  std::vector<Coming> looked_at;
  {
    const std::scoped_lock lock(mutex_);
    looked_at.swap(coming_);
  }
  const auto now = std::chrono::steady_clock::now();
  const auto is_done = [&](const Coming& each) {
    const auto type = each.last.type.lock(jni);
    return !type || now - each.since > kLongestChange ||
           jvm::redefinitions_of(jni, static_cast<jclass>(type.get())) != each.last.times;
  };
  for (auto count = std::erase_if(looked_at, is_done); count > 0; --count) {
    uses_.code.end_foreign_change();
  }
  const std::scoped_lock lock(mutex_);
  for (Coming& each : looked_at) {
    coming_.push_back(std::move(each));
  }
  return !coming_.empty();
}

}  // namespace jvmdebug::agent::events
